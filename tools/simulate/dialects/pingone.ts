import type { JsonObject } from '../../../src/scim/json.ts'
import type { Dialect } from '../dialect.ts'
import { activationKind, patchGroup, referenceTo, removalOf } from '../dialect.ts'
import type { Person } from '../people/person.ts'
import { coreGroup, coreUser, percentEncoded, quoted } from '../scim-call.ts'

/** PingOne: near real time, so one change at a time; PUT for users; no connection test. */
export const pingone: Dialect = {
  label: 'PingOne',
  headers: { always: {}, withBody: { 'Content-Type': 'application/scim+json' } },
  membersAtCreation: 0,
  membersPerCall: 1,
  deletesUsers: true,
  connect: async () => {},
  lookUpUser: ({ userName }) => ({
    kind: 'look up user',
    method: 'GET',
    path: `/Users?filter=${percentEncoded(`userName eq ${quoted(userName)}`)}`,
  }),
  createUser: (person) => ({ kind: 'create user', method: 'POST', path: '/Users', body: userOf(person, true) }),
  updateUser: ({ id, person }) => [
    {
      kind: 'update user',
      method: 'PUT',
      path: `/Users/${id}`,
      body: { ...userOf(person, true), emails: sameAddressTwice(person) },
    },
  ],
  setActive: ({ id, person }, active) => [
    {
      kind: activationKind(active),
      method: 'PUT',
      path: `/Users/${id}`,
      body: userOf(person, active),
    },
  ],
  lookUpGroup: ({ name }) => ({
    kind: 'look up group',
    method: 'GET',
    path: `/Groups?filter=${percentEncoded(`displayName eq ${quoted(name)}`)}`,
  }),
  createGroup: ({ name }) => ({
    kind: 'create group',
    method: 'POST',
    path: '/Groups',
    body: { schemas: [coreGroup], displayName: name },
  }),
  addMembers: (group, { members }) => [
    patchGroup('add members', group, { op: 'add', path: 'members', value: members.map(referenceTo) }),
  ],
  removeMembers: (group, { members }) => [patchGroup('remove members', group, ...members.map(removalOf))],
}

function userOf(person: Person, active: boolean): JsonObject {
  return {
    schemas: [coreUser],
    userName: person.userName,
    name: { givenName: person.givenName, familyName: person.familyName },
    emails: [{ value: person.userName, type: 'work', primary: true }],
    active,
  }
}

/**
 * A known limitation of PingOne: when one of two addresses is empty, both elements have the other one, each as primary.
 */
function sameAddressTwice({ userName }: Person): JsonObject[] {
  return ['work', 'other'].map((type) => ({ value: userName, type, primary: true }))
}
