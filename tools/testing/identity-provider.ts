import type { IdentityProvider, PersonInput, PushedGroup } from '../../src/client/testing.ts'
import type { Dialect } from '../simulate/dialect.ts'
import { addMembers, createUser, emptyOutcome, findOrCreateGroup } from '../simulate/lifecycle.ts'
import type { Person } from '../simulate/people/person.ts'
import { generatePeople } from '../simulate/people/person.ts'
import type { ScimRequest, Send } from '../simulate/scim-call.ts'

/** An identity provider that speaks a dialect. */
export function createIdentityProvider(dialect: Dialect, send: Send): IdentityProvider {
  const session = { dialect, send, outcome: emptyOutcome() }
  const sendAll = async (requests: readonly ScimRequest[]) => {
    for (const request of requests) await send(request)
  }
  const nextPerson = personMaker()
  return {
    assign: (person) => createUser(session, nextPerson(person)),
    async update(user, changes) {
      const changed = { ...user, person: { ...user.person, ...changes } }
      await sendAll(dialect.updateUser(changed))
      return changed
    },
    unassign: (user) => sendAll(dialect.setActive(user, false)),
    remove: ({ id }) => sendAll([{ kind: 'delete user', method: 'DELETE', path: `/Users/${id}` }]),
    async pushGroup(name, members) {
      const team = { number: 1, seed: 1, name }
      const first = members.slice(0, dialect.membersAtCreation)
      const { group, alreadyAdded } = await findOrCreateGroup(session, team, first)
      await addMembers(session, group, members, alreadyAdded)
      return { id: group.id, name, members }
    },
    async addMembers(group, members) {
      const after = [...group.members, ...members]
      await sendAll(dialect.addMembers(linkedGroup(group), { members, after }))
      return { ...group, members: after }
    },
    async removeMembers(group, members) {
      const ids = new Set(members.map(({ id }) => id))
      const after = group.members.filter(({ id }) => !ids.has(id))
      await sendAll(dialect.removeMembers(linkedGroup(group), { members, after }))
      return { ...group, members: after }
    },
    removeGroup: ({ id }) => sendAll([{ kind: 'delete group', method: 'DELETE', path: `/Groups/${id}` }]),
  }
}

function linkedGroup({ id, name }: PushedGroup) {
  return { id, team: { number: 1, seed: 1, name } }
}

/** Completes people with the details of fictional ones, different for each. */
function personMaker() {
  let count = 0
  return (input: PersonInput): Person => {
    count += 1
    const fictional = generatePeople(count, 1).at(-1)
    if (fictional === undefined) throw new Error('There is no such person.')
    return { ...fictional, userName: input.email, ...input }
  }
}
