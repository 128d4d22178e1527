import type { DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import type { Group } from '../../directory/group.ts'
import { groupTexts } from '../../directory/search-terms.ts'
import { fold } from '../../scim/fold.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { GroupChange } from '../group-changes.ts'
import type { Batch } from './batch.ts'
import type { WrittenDirectory } from './effects/effect.ts'
import { writeEvents } from './effects/events.ts'
import { countRemovedMemberships, windowsRequest } from './effects/removals.ts'
import { writeTerms } from './effects/search-terms.ts'
import type { Facts } from './facts.ts'
import type { GroupBatch } from './group-batch.ts'
import { applyChange, createGroupBatch, groupsOf, membershipsGained } from './group-batch.ts'
import { afterGroups } from './group-effects.ts'
import { groups, members, removedMemberships } from './tables.ts'
import { WriteCollection } from './writes.ts'

export type GroupOutcome<R extends string> = MembersCommitted | R | DirectoryChanged

/** Applies changes of groups, each to the result of the ones before; those that depend on it are left out. */
export function changeGroups<R extends string>(
  directory: WrittenDirectory,
  inputs: readonly GroupChange<R>[],
): Batch<readonly (GroupOutcome<R> | undefined)[]> {
  const changes = independent(inputs)
  // New groups lose no members, and none of them comes back.
  const isCounted = changes.some(({ kind }) => kind !== 'create')
  const { id, uniqueGroupNames: isUnique = false } = directory
  return {
    directory,
    request: { changes, groupNames: namesIn(directory, changes), ...(isCounted && windowsRequest(id)) },
    decide(facts) {
      const { state, groups: found } = facts
      if (state === undefined || found === undefined) throw new Error('Changes of groups are decided on facts.')
      const batch = createGroupBatch({ facts: found, state, isUnique })
      const outcomes = inputs.map((input, index) => (index < changes.length ? applyChange(batch, input) : undefined))
      const at = Math.max(0, ...changes.map(({ cause }) => cause.at))
      const writes = writesOf(directory, facts, batch, at)
      const requestIds = changes.map(({ cause }) => cause.requestId)
      return { writes, ...afterGroups(batch.made, facts, directory, outcomes, requestIds) }
    },
  }
}

/**
 * The changes, from the first on, that can use what is read before all of them: a change that replaces a list of members
 * needs its group for itself.
 */
function independent<R extends string>(changes: readonly GroupChange<R>[]): readonly GroupChange<R>[] {
  const kinds = new Map<string, MemberChanges['kind']>()
  const end = changes.findIndex(({ groupId, members }) => {
    const before = kinds.get(groupId)
    kinds.set(groupId, members.kind)
    return before !== undefined && (before === 'replace' || members.kind === 'replace')
  })
  return end < 0 ? changes : changes.slice(0, end)
}

/** The folded names that changes give to groups, whose holders must be known where names are unique. */
export function namesIn(
  { uniqueGroupNames = false }: WrittenDirectory,
  changes: readonly GroupChange<string>[],
): string[] {
  return uniqueGroupNames ? changes.flatMap(({ written }) => (written === undefined ? [] : [fold(written.name)])) : []
}

/** Collects what a batch writes. */
export function writesOf(directory: WrittenDirectory, facts: Facts, batch: GroupBatch, at: number): WriteCollection {
  const writes = new WriteCollection()
  writeEvents(batch.events, writes)
  writeGroups(directory, batch, writes)
  writeMembers(facts, batch, writes)
  batch.counts.collect(writes)
  const ended = [...batch.ended.values()]
  countRemovedMemberships({ runs: batch.removals, memberships: ended }, { directory, facts, at }, writes)
  return writes
}

function writeGroups({ product }: WrittenDirectory, batch: GroupBatch, writes: WriteCollection): void {
  const textsOf = (group: Group | undefined) => group && groupTexts(group)
  for (const [id, position] of batch.created) {
    for (const group of groupsOf(batch, [id])) {
      const identity = { id, sequence: position, created_at: group.createdAt }
      writes.write('insert', groups, { ...identity, ...versionOf(group), ...contentOf(group) })
      const changed = { before: undefined, after: textsOf(group) }
      writeTerms(writes, { product, kind: 'group' }, { stored: position }, changed)
    }
  }
  for (const group of groupsOf(batch, batch.replaced)) {
    const { id } = group
    writes.update(groups, { id }, { ...versionOf(group), ...contentOf(group) })
    const position = batch.positions.get(id)
    const changed = { before: textsOf(batch.before.get(id)), after: textsOf(group) }
    // A group that is created and replaced in one batch has its terms by the creation.
    if (position !== undefined && changed.before !== undefined)
      writeTerms(writes, { product, kind: 'group' }, { stored: position }, changed)
  }
  // Members are not part of the row of a group: a large `raw` is not written again.
  for (const group of groupsOf(batch, batch.changed)) writes.update(groups, { id: group.id }, versionOf(group))
}

function versionOf({ version, updatedAt }: Group) {
  return { version, updated_at: updatedAt }
}

function contentOf({ name, externalId, raw }: Group) {
  return { name, name_folded: fold(name), external_id: externalId ?? null, raw }
}

/** Writes the rows of the members that join and leave, and forgets the ends of the memberships that come back. */
export function writeMembers({ groups: found }: Facts, batch: GroupBatch, writes: WriteCollection): void {
  for (const { groupId, memberId } of batch.left.values()) {
    writes.write('remove', members, { group_id: groupId, member_id: memberId })
  }
  for (const { groupId, memberId, memberType, sequence } of batch.joined.values()) {
    writes.write('insert', members, { group_id: groupId, member_id: memberId, member_type: memberType, sequence })
  }
  writes.state.memberships += membershipsGained(batch)
  for (const [key, { groupId, memberId }] of found?.removed ?? []) {
    if (batch.removed.has(key)) continue
    writes.write('remove', removedMemberships, { group_id: groupId, member_id: memberId })
  }
}
