import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Filter } from '../scim/filter/ast.ts'
import { createPredicate } from '../scim/filter/evaluate.ts'
import type { FoldableMemberOperation, MemberOperation } from '../scim/patch/members.ts'
import type { Member } from './group.ts'
import type { DirectoryReads } from './store.ts'
import { listStart } from './store.ts'

/** Whether an operation says which members it means without their being looked at. */
export function isFoldable(operation: MemberOperation): operation is FoldableMemberOperation {
  return operation.op !== 'remove-where'
}

/** Turns the removals by filter into removals by id, by reading the members that there are. */
export async function resolveFilters(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  operations: readonly MemberOperation[],
): Promise<FoldableMemberOperation[]> {
  const resolved: FoldableMemberOperation[] = []
  for (const operation of operations) {
    if (isFoldable(operation)) resolved.push(operation)
    else resolved.push({ op: 'remove', ids: await membersWhere(store, directoryId, groupId, operation.filter) })
  }
  return resolved
}

async function membersWhere(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
  filter: Filter,
): Promise<string[]> {
  const ids: string[] = []
  const isMatch = createPredicate(filter)
  for await (const { id, memberType, display } of membersOfGroup(store, directoryId, groupId)) {
    if (isMatch({ value: id, type: memberType, display })) ids.push(id)
  }
  return ids
}

const membersPerRead = 500

/** The members of a group in creation order, read in parts between which other requests are served. */
export async function* membersOfGroup(
  store: DirectoryReads,
  directoryId: string,
  groupId: string,
): AsyncGenerator<Member, void, undefined> {
  let from = listStart
  for (;;) {
    const part = await store.listMembers(directoryId, groupId, { from, limit: membersPerRead })
    for (const { item } of part) yield item
    const last = part.at(-1)
    if (last === undefined || part.length < membersPerRead) return
    from = last.position
    await nextTurn()
  }
}
