import type { JsonObject } from '../../../src/scim/json.ts'
import type { Dialect, LinkedGroup, LinkedUser } from '../dialect.ts'
import { activationKind, patchGroup, patchUser, removalOf } from '../dialect.ts'
import type { Person } from '../people/person.ts'
import { displayNameOf, employeeNumberOf } from '../people/person.ts'
import type { CallKind, ScimRequest } from '../scim-call.ts'
import { coreGroup, coreUser, enterpriseUser, percentEncoded, quoted } from '../scim-call.ts'

const headers = {
  always: {
    Accept: 'application/scim+json',
    'Accept-Charset': 'utf-8',
    'Accept-Encoding': 'gzip,deflate',
    'User-Agent': 'Okta SCIM Client 1.0.0',
  },
  withBody: { 'Content-Type': 'application/scim+json; charset=utf-8' },
}

/** The common parts of both Okta dialects. */
const common = {
  headers,
  membersAtCreation: 0,
  membersPerCall: 1000,
  deletesUsers: false,
  lookUpUser: ({ userName }) => ({
    kind: 'look up user',
    method: 'GET',
    path: `/Users?filter=${percentEncoded(`userName eq ${quoted(userName)}`)}&startIndex=1&count=100`,
  }),
  lookUpGroup: ({ name }) => ({
    kind: 'look up group',
    method: 'GET',
    path: `/Groups?filter=${percentEncoded(`displayName eq ${quoted(name)}`)}&startIndex=1&count=100`,
  }),
  createGroup: ({ name }) => ({
    kind: 'create group',
    method: 'POST',
    path: '/Groups',
    body: { schemas: [coreGroup], displayName: name, members: [] },
  }),
} satisfies Partial<Dialect>

/** Okta, catalog app (OIN): PATCH for activation and groups, PUT for the profile. */
export const okta: Dialect = {
  ...common,
  label: 'Okta, catalog app (OIN)',
  connect: async (send) => {
    await send({ kind: 'test connection', method: 'GET', path: '/Users?startIndex=1&count=1' })
  },
  createUser: (person) => createUser({ ...profileOf(person), password: placeholderPassword(person) }),
  updateUser: (user) => readThenPut('update user', user, { ...linkedProfileOf(user, true), ...titleOf(user) }),
  setActive: (user, active) => [patchUser(activationKind(active), user, { op: 'replace', value: { active } })],
  addMembers: (group, { members }) => [
    rename(group),
    patchGroup('add members', group, { op: 'add', path: 'members', value: members.map(memberOf) }),
  ],
  removeMembers: (group, { members }) => [
    rename(group),
    patchGroup('remove members', group, ...members.map(removalOf)),
  ],
}

/** Okta, custom app created with the App Integration Wizard (AIW): PUT for everything. */
export const oktaAiw: Dialect = {
  ...common,
  label: 'Okta, custom app (AIW)',
  connect: async (send) => {
    await send({ kind: 'test connection', method: 'GET', path: '/Users?startIndex=1&count=2' })
  },
  createUser: (person) =>
    createUser({
      ...profileOf(person),
      schemas: [coreUser, enterpriseUser],
      password: placeholderPassword(person),
      title: person.title,
      userType: 'Employee',
      [enterpriseUser]: enterpriseOf(person),
    }),
  updateUser: (user) => readThenPut('update user', user, wholeProfileOf(user, true)),
  setActive: (user, active) => readThenPut(activationKind(active), user, wholeProfileOf(user, active)),
  addMembers: (group, { after }) => [putGroup('add members', group, after)],
  removeMembers: (group, { after }) => [putGroup('remove members', group, after)],
}

function profileOf(person: Person): JsonObject {
  return {
    schemas: [coreUser],
    userName: person.userName,
    name: { givenName: person.givenName, familyName: person.familyName },
    emails: [{ primary: true, value: person.userName, type: 'work' }],
    displayName: displayNameOf(person),
    locale: 'en-US',
    externalId: oktaIdOf(person),
    groups: [],
    active: true,
  }
}

/** The profile after Okta has read the user, with the attributes that the service added. */
function linkedProfileOf({ id, person }: LinkedUser, active: boolean): JsonObject {
  const emails = [{ primary: true, value: person.userName, type: 'work', display: person.userName }]
  return { ...profileOf(person), emails, active, id, meta: { resourceType: 'User' } }
}

function wholeProfileOf(user: LinkedUser, active: boolean): JsonObject {
  return {
    ...linkedProfileOf(user, active),
    ...titleOf(user),
    schemas: [coreUser, enterpriseUser],
    [enterpriseUser]: enterpriseOf(user.person),
  }
}

function titleOf({ person }: LinkedUser): JsonObject {
  return { title: person.title }
}

function enterpriseOf(person: Person): JsonObject {
  const manager = { value: 'M-77', displayName: 'Ivo Brandt' }
  return { employeeNumber: `E-${employeeNumberOf(person)}`, department: person.department, manager }
}

/** The externalId that Okta sends of a person: its user ids are twenty characters and begin with `00u`. */
export function oktaIdOf({ seed, number }: Person): string {
  return `00u${seed.toString(36).padStart(7, '0')}${number.toString(36).padStart(10, '0')}`
}

/** The random password that Okta sends while password synchronization is off. */
function placeholderPassword({ seed, number }: Person): string {
  return `Zt${seed}-placeholder-${number}`
}

function createUser(body: JsonObject): ScimRequest {
  return { kind: 'create user', method: 'POST', path: '/Users', body }
}

function readThenPut(kind: CallKind, { id }: LinkedUser, body: JsonObject): ScimRequest[] {
  return [
    { kind: 'read user', method: 'GET', path: `/Users/${id}` },
    { kind, method: 'PUT', path: `/Users/${id}`, body },
  ]
}

/** Sent with every push of members, whether the name changed or not. */
function rename(group: LinkedGroup): ScimRequest {
  return patchGroup('rename group', group, { op: 'replace', value: { id: group.id, displayName: group.team.name } })
}

function putGroup(kind: CallKind, { id, team }: LinkedGroup, members: readonly LinkedUser[]): ScimRequest {
  const body = { schemas: [coreGroup], id, displayName: team.name, members: members.map(memberOf) }
  return { kind, method: 'PUT', path: `/Groups/${id}`, body }
}

function memberOf({ id, person }: LinkedUser): JsonObject {
  return { value: id, display: person.userName }
}
