import type { DirectoryReads } from '../directory/directory-store.ts'
import { membersOfGroup } from '../directory/group-members.ts'
import type { Filter } from '../scim/filter/ast.ts'
import { createPredicate } from '../scim/filter/evaluate.ts'
import type { FoldableMemberOperation, MemberChanges, MemberFold, MemberOperation } from '../scim/patch/members.ts'
import { createMemberFold, noMember } from '../scim/patch/members.ts'

/** Returns whether an operation can be applied without reading the present members. */
export function isFoldable(operation: MemberOperation): operation is FoldableMemberOperation {
  return operation.op !== 'remove-where' && operation.op !== 'require'
}

/**
 * The combined effect of operations on a group's members, some of which depend on the present members: removals by
 * filter become removals by id.
 *
 * @throws ScimError 400 `noTarget` when a required member is missing
 */
export async function resolveMemberOperations(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  operations: readonly MemberOperation[],
): Promise<MemberChanges> {
  const fold = createMemberFold()
  const isStored = storedMembership(store, directoryId, groupId)
  for (const operation of operations) {
    if (isFoldable(operation)) fold.apply(operation)
    else if (operation.op === 'remove-where') {
      fold.apply({ op: 'remove', ids: await matchingIds(store, directoryId, groupId, operation.filter) })
    } else await requireMember(operation.ids, fold, isStored)
  }
  return fold.changes()
}

async function matchingIds(store: DirectoryReads, directoryId: string, groupId: string, filter: Filter) {
  const ids = new Set<string>()
  const isMatch = createPredicate(filter)
  for await (const members of membersOfGroup(store, directoryId, groupId)) {
    for (const { id, memberType, display } of members) {
      if (isMatch({ value: id, type: memberType, display })) ids.add(id)
    }
  }
  return ids
}

/** @param earlier the changes before this operation, which may have added or removed the member */
async function requireMember(
  ids: ReadonlySet<string>,
  earlier: MemberFold,
  isStored: (id: string) => Promise<boolean>,
): Promise<void> {
  for (const id of ids) if (earlier.decides(id) ?? (await isStored(id))) return
  throw noMember()
}

/** Looks up members by index, each at most once. */
function storedMembership(store: DirectoryReads, directoryId: string, groupId: string) {
  const found = new Map<string, Promise<boolean>>()
  return (id: string): Promise<boolean> => {
    const known = found.get(id) ?? isMember(store, directoryId, groupId, id)
    found.set(id, known)
    return known
  }
}

async function isMember(store: DirectoryReads, directoryId: string, groupId: string, id: string): Promise<boolean> {
  const equalities = [
    { attribute: 'id', value: groupId },
    { attribute: 'members', value: id },
  ] as const
  return (await store.countGroups(directoryId, equalities)) > 0
}
