import type { JsonObject } from '../../../src/scim/json.ts'
import type { Dialect, LinkedUser } from '../dialect.ts'
import { activationKind, patchGroup, patchUser, referenceTo } from '../dialect.ts'
import type { Person } from '../people/person.ts'
import { displayNameOf } from '../people/person.ts'
import type { CallKind, ScimRequest, Send } from '../scim-call.ts'
import { coreGroup, coreUser, idOf, percentEncoded, quoted } from '../scim-call.ts'

/** JumpCloud: activation writes a test user and a test group; groups are created with their first member. */
export const jumpcloud: Dialect = {
  label: 'JumpCloud',
  headers: { always: {}, withBody: { 'Content-Type': 'application/scim+json' } },
  membersAtCreation: 1,
  membersPerCall: 1,
  deletesUsers: false,
  connect: activate,
  lookUpUser: ({ userName }) => ({
    kind: 'look up user',
    method: 'GET',
    path: `/Users?filter=${percentEncoded(`userName eq ${quoted(userName)}`)}`,
  }),
  createUser: (person) => ({ kind: 'create user', method: 'POST', path: '/Users', body: userOf(person) }),
  updateUser: (user) => [
    patchUser(
      'update user',
      user,
      { op: 'replace', path: 'name.familyName', value: user.person.familyName },
      { op: 'replace', path: 'displayName', value: displayNameOf(user.person) },
      { op: 'replace', path: 'active', value: true },
    ),
  ],
  setActive: (user, active) => [
    patchUser(activationKind(active), user, { op: 'replace', path: 'active', value: active }),
  ],
  lookUpGroup: ({ name }) => ({
    kind: 'look up group',
    method: 'GET',
    path: `/Groups?filter=${percentEncoded(`displayName eq ${quoted(name)}`)}`,
  }),
  createGroup: ({ name }, members) => createGroup('create group', name, members),
  addMembers: (group, { members }) => [
    patchGroup('add members', group, { op: 'add', path: 'members', value: members.map(referenceTo) }),
  ],
  removeMembers: (group, { members }) => [
    patchGroup('remove members', group, { op: 'remove', path: 'members', value: members.map(referenceTo) }),
  ],
}

/**
 * The test that JumpCloud makes when an administrator activates the connection; it creates and deletes a user and a
 * group.
 */
async function activate(send: Send): Promise<void> {
  const kind = 'test connection'
  await send({ kind, method: 'GET', path: '/Users?startIndex=1&count=1' })
  const userId = idOf(await send({ kind, method: 'POST', path: '/Users', body: probeUser('Probe') }))
  await send({ kind, method: 'GET', path: `/Users/${userId}` })
  await send({ kind, method: 'PUT', path: `/Users/${userId}`, body: { ...probeUser('Probed'), id: userId } })
  const groupId = idOf(await send(createGroup(kind, 'JumpCloud Test Group', [])))
  await send({ kind, method: 'DELETE', path: `/Groups/${groupId}` })
  await send({ kind, method: 'DELETE', path: `/Users/${userId}` })
}

function probeUser(familyName: string): JsonObject {
  return {
    schemas: [coreUser],
    userName: 'jc.probe@example.com',
    externalId: 'jc-probe-1',
    name: { givenName: 'Test', familyName },
    displayName: `Test ${familyName}`,
    emails: [{ value: 'jc.probe@example.com', type: 'work', primary: true }],
    active: true,
  }
}

function userOf(person: Person): JsonObject {
  return {
    schemas: [coreUser],
    userName: person.userName,
    externalId: `EMP-${person.seed * 1_000_000 + person.number}`,
    name: { givenName: person.givenName, familyName: person.familyName },
    displayName: displayNameOf(person),
    emails: [{ value: person.userName, type: 'work', primary: true }],
    active: true,
  }
}

function createGroup(kind: CallKind, displayName: string, members: readonly LinkedUser[]): ScimRequest {
  const body = { schemas: [coreGroup], displayName, members: members.map(referenceTo) }
  return { kind, method: 'POST', path: '/Groups', body }
}
