import type { Json, JsonObject } from '../../../src/scim/json.ts'
import type { Dialect } from '../dialect.ts'
import { activationKind, patchGroup, referenceTo, removalOf } from '../dialect.ts'
import type { Person } from '../people/person.ts'
import { displayNameOf } from '../people/person.ts'
import { formEncoded, quoted } from '../scim-call.ts'

/** OneLogin: an administrator's JSON template with legacy URNs, PUT for users, one member at a time. */
export const onelogin: Dialect = {
  label: 'OneLogin',
  headers: { always: {}, withBody: { 'Content-Type': 'application/json' } },
  membersAtCreation: 0,
  membersPerCall: 1,
  deletesUsers: true,
  connect: async (send, seed) => {
    const filter = formEncoded(`userName eq ${quoted(`onelogin_scim_test_${4710 + seed}`)}`)
    await send({ kind: 'test connection', method: 'GET', path: `/Users?filter=${filter}` })
  },
  lookUpUser: ({ userName }) => ({
    kind: 'look up user',
    method: 'GET',
    path: `/Users?filter=${formEncoded(`userName eq ${quoted(userName)}`)}&`,
  }),
  createUser: (person) => ({ kind: 'create user', method: 'POST', path: '/Users', body: template(person, null, true) }),
  updateUser: ({ id, person }) => [
    { kind: 'read user', method: 'GET', path: `/Users/${id}` },
    { kind: 'update user', method: 'PUT', path: `/Users/${id}?`, body: template(person, person.title, true) },
  ],
  setActive: ({ id, person }, active) => [
    {
      kind: activationKind(active),
      method: 'PUT',
      path: `/Users/${id}?`,
      body: template(person, null, active),
    },
  ],
  lookUpGroup: () => ({ kind: 'look up group', method: 'GET', path: '/Groups' }),
  createGroup: ({ name }) => ({
    kind: 'create group',
    method: 'POST',
    path: '/Groups',
    body: { schemas: ['urn:scim:schemas:core:2.0'], displayName: name, members: [] },
  }),
  addMembers: (group, { members }) => [
    patchGroup('add members', group, { op: 'add', path: 'members', value: members.map(referenceTo) }),
  ],
  removeMembers: (group, { members }) =>
    members.map((member) => patchGroup('remove members', group, removalOf(member))),
}

function template(person: Person, title: Json, active: boolean): JsonObject {
  const { givenName, familyName } = person
  return {
    schemas: ['urn:scim:schemas:core:2.0', 'urn:scim:schemas:extension:enterprise:2.0'],
    groups: [],
    userName: person.userName,
    name: { givenName, familyName, formatted: displayNameOf(person) },
    emails: [{ value: person.userName, type: 'work', primary: true }],
    displayName: displayNameOf(person),
    title,
    active,
    externalId: `${100 + person.seed}${String(person.number).padStart(6, '0')}`,
  }
}
