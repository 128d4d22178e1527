import type { Dialect, LinkedUser } from '../simulate/dialect.ts'
import { addMembers, createUser, emptyOutcome, findOrCreateGroup } from '../simulate/lifecycle.ts'
import type { Person } from '../simulate/people/person.ts'
import { generatePeople } from '../simulate/people/person.ts'
import type { ScimRequest, Send } from '../simulate/scim-call.ts'

/** A person in the directory of the customer. Missing fields are made up. */
export interface PersonInput {
  readonly email: string
  /** Default: the email address. */
  readonly userName?: string
  readonly givenName?: string
  readonly familyName?: string
  readonly title?: string
  readonly department?: string
}

/** A user that the identity provider has provisioned. */
export interface ProvisionedUser extends LinkedUser {
  /** The id of the user in Rollcall. */
  readonly id: string
}

/** A group that the identity provider has pushed. */
export interface PushedGroup {
  /** The id of the group in Rollcall. */
  readonly id: string
  readonly name: string
  readonly members: readonly ProvisionedUser[]
}

/**
 * The actions of an administrator in an identity provider. Each call sends the requests of the provider, and resolves
 * when its events have arrived.
 *
 * @throws CallFailed when Rollcall refuses a request
 */
export interface IdentityProvider {
  /** Assigns a person to the product: creates a user, or links the one with the userName. */
  assign(person: PersonInput): Promise<ProvisionedUser>
  /** Changes a profile. */
  update(user: ProvisionedUser, changes: Partial<PersonInput>): Promise<ProvisionedUser>
  /** Unassigns the product: deactivates the user. */
  unassign(user: ProvisionedUser): Promise<void>
  /** Deletes the user, which some providers do days after they unassigned the product. */
  remove(user: ProvisionedUser): Promise<void>
  /** Pushes a group with its members: creates it, or links the one with the name. */
  pushGroup(name: string, members: readonly ProvisionedUser[]): Promise<PushedGroup>
  addMembers(group: PushedGroup, members: readonly ProvisionedUser[]): Promise<PushedGroup>
  removeMembers(group: PushedGroup, members: readonly ProvisionedUser[]): Promise<PushedGroup>
  removeGroup(group: PushedGroup): Promise<void>
}

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
