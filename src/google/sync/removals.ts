/** How many removals one run may bring; what is beyond is for the next one. */
const maxRemovals = 100_000

/** Whom a group does not show any more. */
export interface GroupRemovals {
  readonly userIds: string[]
  /** Whether everyone of the customer is in the group, whatever that means to Google. */
  readonly hasEveryone: boolean
}

/** Members whom their groups do not show any more: they are removed at the end, when Google says so once more. */
export interface Removals {
  /** False when there is no room for more. */
  add(groupId: string, userId: string, hasEveryone: boolean): boolean
  readonly groups: ReadonlyMap<string, GroupRemovals>
}

export function createRemovals(max: number = maxRemovals): Removals {
  const groups = new Map<string, GroupRemovals>()
  let size = 0
  return {
    groups,
    add(groupId, userId, hasEveryone) {
      if (size >= max) return false
      size += 1
      const known = groups.get(groupId)
      if (known === undefined) groups.set(groupId, { userIds: [userId], hasEveryone })
      else known.userIds.push(userId)
      return true
    },
  }
}
