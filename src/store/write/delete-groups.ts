import type { Cause } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { RemovalRun } from '../../directory/removal-limit.ts'
import { groupTexts } from '../../directory/search-terms.ts'
import { namesGroup } from '../../mapping/compiled.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Batch, WrittenDirectory } from './batch.ts'
import type { DeletionOutcome, Leaving, MadeDeletion } from './deletions.ts'
import { decideDeletions, leaveInStages } from './deletions.ts'
import { ListCounts } from './effects/counts.ts'
import { writeEvents } from './effects/events.ts'
import { countRemovedMemberships } from './effects/removals.ts'
import { writeTerms } from './effects/search-terms.ts'
import { evaluationAfter, withEvaluated } from './evaluate-users.ts'
import type { Facts, GroupState } from './facts.ts'
import { groups, listCounts, members } from './tables.ts'
import { WriteCollection } from './writes.ts'

/** A group to delete, and the event about it. */
export interface GroupDeletion {
  readonly group: Pick<Group, 'id' | 'version' | 'name'>
  readonly event: UnnumberedEvent
}

type Made = readonly MadeDeletion<GroupDeletion, GroupState>[]

/**
 * Deletes groups with their events; they leave the groups that contain them. Their members count as removed, without events of their
 * own, and are evaluated again by a mapping that names the group.
 */
export function deleteGroups(
  directory: WrittenDirectory,
  inputs: readonly GroupDeletion[],
  leaving: Leaving = 'at-once',
): Batch<readonly (DeletionOutcome | undefined)[]> {
  const { compiled } = directory
  const ids = idsOf(inputs)
  const named = compiled === undefined ? [] : idsOf(inputs.filter(({ group }) => namesGroup(compiled, group)))
  return {
    directory,
    request: {
      ...{ groupStates: ids, leaving: leaving === 'later' ? [] : ids, windows: true },
      // One more than are evaluated in a commit: then a run evaluates all.
      firstMembers: { groupIds: named, limit: (compiled?.usersAtOnce ?? 0) + 1 },
    },
    decide(facts) {
      const { made, deletedAt, outcomes } = decideDeletions(
        inputs,
        ({ group }) => group,
        facts.groupStates,
        facts,
        leaving,
      )
      const writes = new WriteCollection()
      removeGroups(made, directory, writes)
      if (leaving !== 'later') for (const id of deletedAt.keys()) writes.removeAll(members, { group_id: id })
      const removals = { runs: removalRuns(made, facts), memberships: [] }
      countRemovedMemberships(removals, { directory, facts, at: Math.max(0, ...deletedAt.values()) }, writes)
      const concerned = { users: formerMembers(made, facts), groups: new Map<string, Cause>() }
      const answer = () => outcomes
      if (compiled === undefined || concerned.users.size === 0)
        return leaveInStages(deletedAt, facts, writes, { answer })
      const requestIds = inputs.map(({ event }) => event.requestId)
      const next = evaluationAfter(directory, compiled, concerned, (events) =>
        withEvaluated(outcomes, requestIds, events),
      )
      return leaveInStages(deletedAt, facts, writes, { next })
    },
  }
}

function idsOf(inputs: readonly GroupDeletion[]): string[] {
  return [...new Set(inputs.map(({ group }) => group.id))]
}

/** Collects what the deletion of groups writes, besides their members and what follows from them. */
function removeGroups(made: Made, { product }: WrittenDirectory, writes: WriteCollection): void {
  writeEvents(
    made.map(({ input }) => input.event),
    writes,
  )
  const counts = new ListCounts()
  for (const { input, stored } of made) {
    const { id } = input.group
    const position = { stored: stored.position }
    writes.write('remove', groups, { id })
    writes.removeAll(listCounts, { list_name: id })
    writeTerms(writes, { product, kind: 'group' }, position, { before: groupTexts(input.group), after: undefined })
    counts.count('groups', position, -1)
    writes.state.memberships -= stored.members
  }
  counts.collect(writes)
}

/** The members that the deletions remove, all of a group by the one event about it. */
function removalRuns(made: Made, { state }: Pick<Facts, 'state'>): RemovalRun[] {
  const { lastSequence, memberships } = state ?? { lastSequence: 0, memberships: 0 }
  let before = memberships
  return made.map(({ n, stored: { members: removals } }) => {
    const run = { sequence: lastSequence + n, removals, hasEventEach: false, before }
    before -= removals
    return run
  })
}

/** The users who were in the deleted groups that the mapping names, with the deletions as the causes of their changes. */
function formerMembers(made: Made, { firstMembers }: Pick<Facts, 'firstMembers'>): Map<string, Cause> {
  const causes = new Map(
    made.map(({ input: { group, event } }) => {
      const { requestId, traceContext, createdAt: at } = event
      return [group.id, { requestId, traceContext, at }]
    }),
  )
  return new Map(
    firstMembers.flatMap(({ groupId, memberId }) => {
      const cause = causes.get(groupId)
      return cause === undefined ? [] : [[memberId, cause] as const]
    }),
  )
}
