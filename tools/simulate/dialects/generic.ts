import type { JsonObject } from '../../../src/scim/json.ts'
import type { Dialect } from '../dialect.ts'
import { activationKind, patchGroup, referenceTo, removalOf } from '../dialect.ts'
import type { Person } from '../people/person.ts'
import { employeeNumberOf } from '../people/person.ts'
import { coreGroup, coreUser, patchBody, percentEncoded, quoted } from '../scim-call.ts'

const legacyEnterprise = 'urn:scim:schemas:extension:enterprise:2.0'

/** A connector of an HR system: a plain RFC client that identifies people by employee number, with a legacy URN. */
export const generic: Dialect = {
  label: 'generic SCIM client',
  headers: { always: {}, withBody: { 'Content-Type': 'application/json' } },
  membersAtCreation: 1,
  membersPerCall: 100,
  deletesUsers: true,
  connect: async (send) => {
    await send({ kind: 'test connection', method: 'GET', path: '/ServiceProviderConfig' })
  },
  lookUpUser: (person) => ({
    kind: 'look up user',
    method: 'GET',
    path: `/Users?filter=${percentEncoded(`externalId eq ${quoted(workdayIdOf(person))}`)}`,
  }),
  createUser: (person) => ({ kind: 'create user', method: 'POST', path: '/Users', body: userOf(person) }),
  updateUser: ({ id, person }) => [
    { kind: 'update user', method: 'PUT', path: `/Users/${id}`, body: { ...userOf(person), title: person.title } },
  ],
  setActive: ({ id }, active) => [
    {
      kind: activationKind(active),
      method: 'PATCH',
      path: `/Users/${id}`,
      body: patchBody({ op: 'replace', path: 'active', value: active }),
    },
  ],
  lookUpGroup: ({ name }) => ({
    kind: 'look up group',
    method: 'GET',
    path: `/Groups?filter=${percentEncoded(`displayName eq ${quoted(name)}`)}`,
  }),
  createGroup: ({ name, seed, number }, members) => ({
    kind: 'create group',
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [coreGroup],
      displayName: name,
      externalId: `ORG-${seed}-${number}`,
      members: members.map(referenceTo),
    },
  }),
  addMembers: (group, { members }) => [
    patchGroup('add members', group, { op: 'add', path: 'members', value: members.map(referenceTo) }),
  ],
  removeMembers: (group, { members }) => [patchGroup('remove members', group, ...members.map(removalOf))],
}

function userOf(person: Person): JsonObject {
  return {
    schemas: [coreUser, legacyEnterprise],
    userName: person.userName,
    externalId: workdayIdOf(person),
    name: { givenName: person.givenName, familyName: person.familyName },
    emails: [{ value: person.userName, type: 'Work', primary: true }],
    active: true,
    [legacyEnterprise]: { employeeNumber: employeeNumberOf(person), department: person.department },
  }
}

function workdayIdOf({ seed, number }: Person): string {
  return `WD-${seed * 1_000_000 + 1000 + number}`
}
