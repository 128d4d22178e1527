import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Complete } from './abridged.ts'
import { completeInParts } from './abridged.ts'
import type { DirectoryReads, ListedUser } from './directory-store.ts'
import type { UserGroups } from './user-groups.ts'
import { allGroups } from './user-groups.ts'

/** The reads that complete the users of a list. */
export interface UserCompletion {
  readonly store: Pick<DirectoryReads, 'getUser' | 'groupsOfUsers' | 'listGroupsOfUser'>
  readonly directoryId: string
  readonly slices: TimeSlices
}

/** The fields that all lists of users have: a user, possibly abridged, and its groups if they are known. */
export type UserInList = Pick<ListedUser, 'id' | 'raw' | 'groups'>

/** A user with its complete `raw`, and its groups. */
export interface CompleteUser<T extends UserInList> {
  readonly user: Complete<T>
  readonly groups: UserGroups
}

/** The number of users that are read together with their first groups. */
const usersPerRead = 20

/**
 * The users of a list in parts, completed with a long `raw` and with groups that were not read. Users who were deleted
 * meanwhile are left out.
 *
 * @param withGroups whether to read the groups; otherwise every user has none
 */
export async function* completeUsers<T extends UserInList>(
  completion: UserCompletion,
  users: readonly T[],
  withGroups: boolean,
): AsyncGenerator<readonly CompleteUser<T>[], void, undefined> {
  const { store, directoryId, slices } = completion
  for await (const part of completeInParts(users, (id) => store.getUser(directoryId, id), slices)) {
    for (let start = 0; start < part.length; start += usersPerRead) {
      const some = part.slice(start, start + usersPerRead)
      const groups = withGroups ? await groupsOfListed(completion, some) : []
      yield some.map((user, index) => ({ user, groups: groups[index] ?? [] }))
    }
  }
}

/** The groups of each user of a list, in the order of the users; missing groups are read together. */
export async function groupsOfListed(
  { store, directoryId }: Pick<UserCompletion, 'store' | 'directoryId'>,
  users: readonly Pick<UserInList, 'id' | 'groups'>[],
): Promise<readonly UserGroups[]> {
  const unknown = users.flatMap(({ id, groups }) => (groups === undefined ? [id] : []))
  const found = await store.groupsOfUsers(directoryId, unknown)
  return users.map(({ id, groups }) => groups ?? allGroups(store, directoryId, id, found.get(id) ?? []))
}
