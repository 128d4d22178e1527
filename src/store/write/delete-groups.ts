import type { Group } from '../../directory/group.ts'
import type { RemovalRun } from '../../directory/removal-limit.ts'
import { groupTexts } from '../../directory/search-terms.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Batch } from './batch.ts'
import type { DeletionOutcome, Leaving, MadeDeletion } from './deletions.ts'
import { decideDeletions, leaveInStages } from './deletions.ts'
import { ListCounts } from './effects/counts.ts'
import type { ChangedGroup, WrittenDirectory } from './effects/effect.ts'
import { writeEvents } from './effects/events.ts'
import { countRemovedMemberships, windowsRequest } from './effects/removals.ts'
import { writeTerms } from './effects/search-terms.ts'
import type { Facts, GroupState } from './facts.ts'
import { requestOfAll } from './facts.ts'
import { afterGroups, requestsOfDeletion } from './group-effects.ts'
import { groups, listCounts, members } from './tables.ts'
import { WriteCollection } from './writes.ts'

/** A group to delete, and the event about it. */
export interface GroupDeletion {
  readonly group: Pick<Group, 'id' | 'version' | 'name'>
  readonly event: UnnumberedEvent
}

type Made = readonly MadeDeletion<GroupDeletion, GroupState>[]

/** Deletes groups with their events; they leave the groups that contain them. Their members count as removed, without events of their own. */
export function deleteGroups(
  directory: WrittenDirectory,
  inputs: readonly GroupDeletion[],
  leaving: Leaving = 'at-once',
): Batch<readonly (DeletionOutcome | undefined)[]> {
  const groupsToDelete = inputs.map(({ group }) => group)
  const ids = [...new Set(groupsToDelete.map(({ id }) => id))]
  return {
    directory,
    request: requestOfAll([
      { groupStates: ids, leaving: leaving === 'later' ? [] : ids },
      windowsRequest(directory.id),
      ...requestsOfDeletion(groupsToDelete, directory),
    ]),
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
      const requestIds = inputs.map(({ event }) => event.requestId)
      return leaveInStages(
        deletedAt,
        facts,
        writes,
        afterGroups(made.map(changeOf), facts, directory, outcomes, requestIds),
      )
    },
  }
}

function changeOf({ input: { group, event } }: Made[number]): ChangedGroup {
  const { requestId, traceContext, createdAt: at } = event
  return { before: group, after: undefined, users: [], cause: { requestId, traceContext, at } }
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
