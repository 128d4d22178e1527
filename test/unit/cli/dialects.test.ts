import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkedGroup } from '../../../tools/simulate/dialect.ts'
import type { DialectName } from '../../../tools/simulate/dialects.ts'
import { dialects } from '../../../tools/simulate/dialects.ts'
import type { ScimRequest } from '../../../tools/simulate/scim-call.ts'
import { linked, somePerson } from './support/person.ts'
import { readTraffic } from './support/traffic.ts'

interface Conversation {
  readonly dialect: DialectName
  readonly traffic: string
  /** The name of a recorded request and the request of the dialect in the same situation. */
  readonly steps: readonly [string, ScimRequest | undefined][]
}

const maya = somePerson('Maya Lindqvist')
const mayaChanged = { ...maya, familyName: 'Lindqvist-Ode', title: 'Senior Analyst', department: 'Genomics' }
const [oktaMaya, oktaMayaChanged] = [linked(maya, 'userId'), linked(mayaChanged, 'userId')]
const sean = linked(somePerson("Sean O'Hara"), 'user2Id')
const noor = linked(somePerson('Noor Haddad'), 'user2Id')
const tomas = somePerson('Tomas Weber', { number: 1002, title: 'Buyer', department: 'Procurement' })
const tomasChanged = linked(
  {
    ...tomas,
    familyName: 'Weber-Lang',
    email: 'tomas.weberlang@example.com',
    title: 'Senior Buyer',
    department: 'Strategic Procurement',
  },
  'userId',
  'user2Id',
)
const [entraTomas, entraLena] = [linked(tomas, 'userId'), linked(somePerson('Lena Fischer'), 'user2Id')]
const priya = somePerson('Priya Nair', { seed: 18, number: 230001 })
const priyaChanged = { ...priya, familyName: 'Nair-Bose', title: 'Lead' }
const amara = somePerson('Amara Okoye', { number: 3001 })
const kenji = linked(somePerson('Kenji Sato', { number: 3002 }), 'user2Id')
const hana = somePerson('Hana Kovac')
const hanaChanged = linked({ ...hana, familyName: 'Kovac-Li' }, 'userId')
const omar = linked(somePerson('Omar Diallo'), 'user2Id')
const yusuf = somePerson('Yusuf Karaca', { number: 8001, department: 'People', title: 'People Partner' })

function someGroup(name: string): LinkedGroup {
  return { id: 'groupId', team: { number: 1, seed: 0, name } }
}

const fieldOps = someGroup('Field Ops')
const labSafety = someGroup('Lab Safety')
const buyers = someGroup('Buyers EMEA')
const payroll = someGroup('Payroll')
const warehouse = someGroup('Warehouse')
const network = someGroup('Équipe Réseau')

const { okta, 'okta-aiw': aiw, entra, 'entra-flag': flag, onelogin, jumpcloud, pingone, generic } = dialects

const conversations: readonly Conversation[] = [
  {
    dialect: 'okta',
    traffic: 'okta-oin',
    steps: [
      ['look the user up before create', okta.lookUpUser(maya)],
      ['look up a userName holding an apostrophe', okta.lookUpUser(sean.person)],
      ['create user', okta.createUser(maya)],
      ['profile update, step 1: read', okta.updateUser(oktaMayaChanged)[0]],
      ['profile update, step 2: replace', okta.updateUser(oktaMayaChanged)[1]],
      ['deactivate (unassign, deactivate, or app removed)', okta.setActive(oktaMaya, false)[0]],
      ['reactivate', okta.setActive(oktaMaya, true)[0]],
      ['group push: look up by name', okta.lookUpGroup(fieldOps.team)],
      ['group push: create', okta.createGroup(fieldOps.team, [])],
      ['rename, sent with every membership push', okta.addMembers(fieldOps, { members: [], after: [] })[0]],
      ['add two members', okta.addMembers(fieldOps, { members: [oktaMaya, sean], after: [oktaMaya, sean] })[1]],
    ],
  },
  {
    dialect: 'okta-aiw',
    traffic: 'okta-aiw',
    steps: [
      ['create user', aiw.createUser(maya)],
      ['profile update, step 1: read', aiw.updateUser(oktaMayaChanged)[0]],
      ['profile update, step 2: replace', aiw.updateUser(oktaMayaChanged)[1]],
      ['deactivate', aiw.setActive(oktaMayaChanged, false)[1]],
      ['reactivate', aiw.setActive(oktaMayaChanged, true)[1]],
      ['group push: look up by name', aiw.lookUpGroup(labSafety.team)],
      ['group push: create', aiw.createGroup(labSafety.team, [])],
      ['remove one member', aiw.removeMembers(labSafety, { members: [oktaMaya], after: [noor] })[0]],
    ],
  },
  {
    dialect: 'entra',
    traffic: 'entra',
    steps: [
      ['look up by matching attribute', entra.lookUpUser(tomas)],
      ['create user', entra.createUser(tomas)],
      ['read by cached id', entra.updateUser(tomasChanged)[0]],
      ['update, mixed operations', entra.updateUser(tomasChanged)[1]],
      ['reference check: manager', entra.updateUser(tomasChanged)[2]],
      ['set manager (plain string form)', entra.updateUser(tomasChanged)[3]],
      ['disable', entra.setActive(entraTomas, false)[0]],
      ['enable', entra.setActive(entraTomas, true)[0]],
      ['group: look up by name', entra.lookUpGroup(buyers.team)],
      ['group: create', entra.createGroup(buyers.team, [])],
      ['group: add two members', entra.addMembers(buyers, { members: [entraTomas, entraLena], after: [] })[0]],
      ['reference check: members', entra.removeMembers(buyers, { members: [entraTomas], after: [] })[0]],
      ['group: remove one member', entra.removeMembers(buyers, { members: [entraLena], after: [] })[1]],
    ],
  },
  {
    dialect: 'entra-flag',
    traffic: 'entra-flag',
    steps: [
      ['look up by matching attribute', flag.lookUpUser(tomas)],
      ['create user', flag.createUser(tomas)],
      ['update, dotted and URN keys without path', flag.updateUser(tomasChanged)[1]],
      ['set manager', flag.updateUser(tomasChanged)[3]],
      ['disable', flag.setActive(entraTomas, false)[0]],
      ['enable', flag.setActive(entraTomas, true)[0]],
      ['group: create', flag.createGroup(buyers.team, [])],
      ['group: add two members', flag.addMembers(buyers, { members: [entraTomas, entraLena], after: [] })[0]],
      ['group: remove one member', flag.removeMembers(buyers, { members: [entraLena], after: [] })[1]],
    ],
  },
  {
    dialect: 'onelogin',
    traffic: 'onelogin',
    steps: [
      ['look up user', onelogin.lookUpUser(priya)],
      ['create user', onelogin.createUser(priya)],
      ['read back', onelogin.updateUser(linked(priyaChanged, 'userId'))[0]],
      ['update user', onelogin.updateUser(linked(priyaChanged, 'userId'))[1]],
      ['list groups', onelogin.lookUpGroup(payroll.team)],
      ['create group', onelogin.createGroup(payroll.team, [])],
      ['add a member (SCIM 2.0 form)', onelogin.addMembers(payroll, { members: [oktaMaya], after: [] })[0]],
      ['remove the same member (SCIM 2.0 form)', onelogin.removeMembers(payroll, { members: [sean], after: [] })[0]],
    ],
  },
  {
    dialect: 'jumpcloud',
    traffic: 'jumpcloud',
    steps: [
      ['look up user by login', jumpcloud.lookUpUser(amara)],
      ['create user', jumpcloud.createUser(amara)],
      ['update user', jumpcloud.updateUser(linked({ ...amara, familyName: 'Okoye-Lund' }, 'userId'))[0]],
      ['suspend or unbind', jumpcloud.setActive(linked(amara, 'userId'), false)[0]],
      ['look up group', jumpcloud.lookUpGroup(warehouse.team)],
      ['create group with first member', jumpcloud.createGroup(warehouse.team, [linked(amara, 'userId')])],
      ['add a member', jumpcloud.addMembers(warehouse, { members: [kenji], after: [] })[0]],
      ['remove a member', jumpcloud.removeMembers(warehouse, { members: [kenji], after: [] })[0]],
    ],
  },
  {
    dialect: 'pingone',
    traffic: 'pingone',
    steps: [
      ['look up user', pingone.lookUpUser(hana)],
      ['create user', pingone.createUser(hana)],
      ['update user', pingone.updateUser(hanaChanged)[0]],
      ['disable (remove action Disable)', pingone.setActive(hanaChanged, false)[0]],
      ['look up group, name outside ASCII', pingone.lookUpGroup(network.team)],
      ['create group', pingone.createGroup(network.team, [])],
      ['add two members', pingone.addMembers(network, { members: [linked(hana, 'userId'), omar], after: [] })[0]],
      ['remove one member', pingone.removeMembers(network, { members: [omar], after: [] })[0]],
    ],
  },
  {
    dialect: 'generic',
    traffic: 'generic-hris',
    steps: [
      ['look up by employee id', generic.lookUpUser(yusuf)],
      ['create', generic.createUser(yusuf)],
      ['pre-hire turned active, title added', generic.updateUser(linked(yusuf, 'userId'))[0]],
      ['leave of absence', generic.setActive(linked(yusuf, 'userId'), false)[0]],
      ['department as a group', generic.createGroup({ number: 1, seed: 0, name: 'People' }, [linked(yusuf, 'userId')])],
    ],
  },
]

for (const { dialect, traffic, steps } of conversations) {
  const recorded = new Map(readTraffic(traffic).map((step) => [step.name, step]))
  for (const [name, request] of steps) {
    test(`${dialect} sends the recorded request: ${name}`, () => {
      const step = recorded.get(name)
      assert.ok(step !== undefined && request !== undefined)
      assert.equal(`${request.method} ${request.path}`, `${step.method} ${step.path}`)
      assert.deepEqual(headersOf(dialect, request), withoutConnection(step.headers))
      assert.deepEqual(withoutGenerated(request.body ?? null), withoutGenerated(step.body))
    })
  }
}

function headersOf(dialect: DialectName, { body }: ScimRequest) {
  const { always, withBody } = dialects[dialect].headers
  return { ...always, ...(body === undefined ? {} : withBody) }
}

/** The HTTP client adds these headers. */
function withoutConnection({ Authorization, Connection, ...headers }: Readonly<Record<string, string>>) {
  return headers
}

/**
 * Without values that each provider generates. Entra's `externalId` of users is the mail nickname, which is compared.
 */
function withoutGenerated(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { password, externalId, ...rest } = body as Record<string, unknown>
  const generated = /^(00u|ORG-|[0-9a-f]{8}-)/.test(String(externalId))
  return { ...rest, ...(password === undefined ? {} : { password: true }), externalId: generated ? true : externalId }
}
