import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import type { ScimCalls, ScimDirectory } from '../workload/scim-calls.ts'
import { patchBody } from '../workload/user-body.ts'
import { itemAt } from '../workload/users.ts'

/** A request whose statements are counted. */
export interface Operation {
  readonly what: string
  /** The request of a repetition, about a user of its own. */
  call(repetition: number): Call
}

/** The resources that the operations change. */
export interface Pool {
  readonly directory: ScimDirectory
  /** The users of `userBody` by number. */
  readonly userIds: readonly string[]
  readonly groupId: string
  /** The first users, which are members of the group. */
  readonly members: number
}

/** The operations, each with users that no other one changes. */
export function operationsOn(pool: Pool, scim: ScimCalls, prefix: string, repetitions: number): Operation[] {
  const { directory, userIds, groupId } = pool
  let next = pool.members
  const numbers = () => {
    const first = next
    next += repetitions
    return (n: number) => first + n
  }
  const id = (number: number) => itemAt(userIds, number)
  const [titled, mixed, replaced, added, deleted] = [numbers(), numbers(), numbers(), numbers(), numbers()]
  return [
    { what: 'user create', call: (n) => scim.createUser('new', n) },
    { what: 'user PATCH, title', call: (n) => scim.patchUser(id(titled(n)), `Buyer ${n}`) },
    { what: 'user PATCH, as Entra ID', call: (n) => entraPatch(directory, id(mixed(n)), n) },
    { what: 'user PUT, title', call: (n) => scim.putUser(id(replaced(n)), prefix, replaced(n), `Buyer ${n}`) },
    { what: 'user delete', call: (n) => scim.deleteUser(id(deleted(n))) },
    { what: 'member add', call: (n) => scim.addMember(groupId, id(added(n))) },
    { what: 'member remove', call: (n) => scim.removeMember(groupId, id(n)) },
    { what: 'lookup by userName', call: (n) => scim.lookUpUser(prefix, n) },
    { what: 'get by id', call: (n) => scim.getUser(id(n)) },
  ]
}

/** An update of several attributes as Entra ID sends it: a new name, address and department. */
function entraPatch({ path, secret }: ScimDirectory, id: string, number: number): Call {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  return makeCall({
    ...{ method: 'PATCH', path: `${path}/Users/${id}`, authorization: `Bearer ${secret}`, status: 200 },
    body: patchBody(
      { op: 'Replace', path: 'displayName', value: `Barbara Weber-Lang ${number}` },
      { op: 'Replace', path: 'name.familyName', value: 'Weber-Lang' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `barbara.weberlang.${number}@example.com` },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 5550111' },
      { op: 'Replace', path: 'addresses[type eq "work"].streetAddress', value: 'Hafenstrasse 12' },
      { op: 'Replace', path: `${enterprise}:department`, value: 'Strategic Procurement' },
    ),
  })
}
