import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../src/scim/json.ts'
import type { Dialect, LinkedGroup, LinkedUser } from '../dialect.ts'
import { activationKind, patchGroup, patchUser, referenceTo, removalOf } from '../dialect.ts'
import type { Person } from '../people/person.ts'
import { displayNameOf, employeeNumberOf, mailNicknameOf } from '../people/person.ts'
import type { Team } from '../people/team.ts'
import type { CallKind, ScimRequest, Send } from '../scim-call.ts'
import { coreGroup, coreUser, enterpriseUser, formEncoded, quoted } from '../scim-call.ts'

const adGroup = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'

/** The common parts of both Entra dialects. */
const common = {
  headers: { always: {}, withBody: { 'Content-Type': 'application/scim+json; charset=utf-8' } },
  membersAtCreation: 0,
  membersPerCall: 20,
  deletesUsers: true,
  connect: testConnection,
  lookUpUser: ({ userName }) => findUsers('look up user', `userName eq ${quoted(userName)}`),
  createUser: (person) => ({ kind: 'create user', method: 'POST', path: '/Users', body: userOf(person) }),
  lookUpGroup: ({ name }) => findGroups('look up group', `displayName eq ${quoted(name)}`),
  createGroup: (team) => ({ kind: 'create group', method: 'POST', path: '/Groups', body: groupOf(team) }),
} satisfies Partial<Dialect>

/** Entra ID by default: `Add`, `Replace`, `Remove`; one operation per attribute; booleans as text. */
export const entra: Dialect = {
  ...common,
  label: 'Microsoft Entra ID',
  updateUser: (user) => [
    readUser(user),
    patchUser('update user', user, ...profileOperations(user.person)),
    ...managerRequests(user, { op: 'Add', path: `${enterpriseUser}:manager`, value: user.managerId ?? null }),
  ],
  setActive: (user, active) => [
    patchUser(activationKind(active), user, { op: 'Replace', path: 'active', value: active ? 'True' : 'False' }),
  ],
  addMembers: (group, { members }) => [
    patchGroup('add members', group, { op: 'Add', path: 'members', value: members.map(nullReferenceTo) }),
  ],
  removeMembers: (group, { members }) => [
    ...members.map((member) => checkMember(group, member)),
    patchGroup('remove members', group, { op: 'Remove', path: 'members', value: members.map(nullReferenceTo) }),
  ],
}

/** Entra ID with `aadOptscim062020` in the tenant URL: lower case, JSON booleans, dotted keys without a path. */
export const entraFlag: Dialect = {
  ...common,
  label: 'Microsoft Entra ID, compliance flag',
  updateUser: (user) => [
    readUser(user),
    patchUser('update user', user, ...compactProfileOperations(user.person)),
    ...managerRequests(user, { op: 'replace', value: { [`${enterpriseUser}:manager`]: user.managerId ?? null } }),
  ],
  setActive: (user, active) => [
    patchUser(activationKind(active), user, { op: 'replace', path: 'active', value: active }),
  ],
  addMembers: (group, { members }) => [
    patchGroup('add members', group, { op: 'add', path: 'members', value: members.map(referenceTo) }),
  ],
  removeMembers: (group, { members }) => [
    ...members.map((member) => checkMember(group, member)),
    patchGroup('remove members', group, ...members.map(removalOf)),
  ],
}

async function testConnection(send: Send): Promise<void> {
  await send(findUsers('test connection', `userName eq ${quoted(randomUUID())}`))
  await send(findGroups('test connection', `displayName eq ${quoted(randomUUID())}`))
  await send({ kind: 'test connection', method: 'GET', path: '/Schemas' })
}

function findUsers(kind: CallKind, filter: string): ScimRequest {
  return { kind, method: 'GET', path: `/Users?filter=${formEncoded(filter)}` }
}

function findGroups(kind: CallKind, filter: string): ScimRequest {
  return { kind, method: 'GET', path: `/Groups?excludedAttributes=members&filter=${formEncoded(filter)}` }
}

function userOf(person: Person): JsonObject {
  return {
    schemas: [coreUser, enterpriseUser],
    externalId: mailNicknameOf(person),
    userName: person.userName,
    active: true,
    displayName: displayNameOf(person),
    emails: [{ primary: true, type: 'work', value: person.email }],
    meta: { resourceType: 'User' },
    name: { formatted: displayNameOf(person), familyName: person.familyName, givenName: person.givenName },
    title: person.title,
    roles: [],
    [enterpriseUser]: { department: person.department, employeeNumber: employeeNumberOf(person) },
  }
}

function groupOf({ name, seed, number }: Team): JsonObject {
  const externalId = `${hex(seed, 8)}-6a0e-4d0b-9a1d-${hex(number, 12)}`
  return { schemas: [coreGroup, adGroup], externalId, displayName: name, meta: { resourceType: 'Group' } }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

function profileOperations(person: Person): JsonObject[] {
  return [
    { op: 'Replace', path: 'displayName', value: displayNameOf(person) },
    { op: 'Replace', path: 'name.familyName', value: person.familyName },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: person.email },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: person.phone },
    { op: 'Replace', path: 'addresses[type eq "work"].streetAddress', value: person.street },
    { op: 'Replace', path: `${enterpriseUser}:department`, value: person.department },
    { op: 'Add', path: `${enterpriseUser}:employeeNumber`, value: employeeNumberOf(person) },
  ]
}

function compactProfileOperations(person: Person): JsonObject[] {
  const value = {
    displayName: displayNameOf(person),
    'name.familyName': person.familyName,
    title: person.title,
    [`${enterpriseUser}:department`]: person.department,
    [`${enterpriseUser}:employeeNumber`]: employeeNumberOf(person),
  }
  return [
    { op: 'replace', path: 'emails[type eq "work"].value', value: person.email },
    { op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: person.phone },
    { op: 'replace', value },
  ]
}

/** The requests about a manager, which is a reference: Entra first checks whether it is already set. */
function managerRequests(user: LinkedUser, operation: JsonObject): ScimRequest[] {
  const { id, managerId } = user
  if (managerId === undefined) return []
  const filter = formEncoded(`id eq ${quoted(id)} and manager eq ${quoted(managerId)}`)
  return [
    { kind: 'check reference', method: 'GET', path: `/Users?filter=${filter}&attributes=id` },
    patchUser('update user', user, operation),
  ]
}

function checkMember(group: LinkedGroup, member: LinkedUser): ScimRequest {
  const filter = formEncoded(`id eq ${quoted(group.id)} and members eq ${quoted(member.id)}`)
  return { kind: 'check reference', method: 'GET', path: `/Groups?filter=${filter}&attributes=id` }
}

function readUser({ id }: LinkedUser): ScimRequest {
  return { kind: 'read user', method: 'GET', path: `/Users/${id}` }
}

function nullReferenceTo({ id }: LinkedUser): JsonObject {
  return { $ref: null, value: id }
}
