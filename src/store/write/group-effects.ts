import type { Committed } from '../../directory/directory-store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { GroupReference } from '../../directory/group.ts'
import type { Ending, Stage } from './batch.ts'
import { followedBy } from './batch.ts'
import type { ChangedGroup, WrittenDirectory } from './effects/effect.ts'
import type { Facts, FactsRequest } from './facts.ts'
import type { WriteCollection } from './writes.ts'

/** What effects have to know about groups before they are deleted. */
export function requestsOfDeletion(
  groups: readonly GroupReference[],
  directory: WrittenDirectory,
): readonly FactsRequest[] {
  return (directory.effects ?? []).flatMap((effect) => effect.requestOfDeletion?.(groups, directory) ?? [])
}

/**
 * Ends a decision about groups with its outcomes; first come the stages of what follows for users, whose events are added to the
 * outcomes of the changes that caused them.
 *
 * @param requestIds the request of each outcome
 */
export function afterGroups<O extends Committed | string | undefined>(
  changes: readonly ChangedGroup[],
  facts: Facts,
  directory: WrittenDirectory,
  outcomes: readonly O[],
  requestIds: readonly string[],
): Ending<readonly O[]> {
  const stages = (directory.effects ?? []).flatMap((effect) => effect.afterGroups?.(changes, facts, directory) ?? [])
  return inTurn(stages, outcomes, requestIds)
}

function inTurn<O extends Committed | string | undefined>(
  [stage, ...others]: readonly Stage<readonly StoredEvent[]>[],
  outcomes: readonly O[],
  requestIds: readonly string[],
): Ending<readonly O[]> {
  if (stage === undefined) return { answer: () => outcomes }
  return { next: followedBy(stage, (events) => inTurn(others, withEvents(outcomes, requestIds, events), requestIds)) }
}

function withEvents<O extends Committed | string | undefined>(
  outcomes: readonly O[],
  requestIds: readonly string[],
  events: readonly StoredEvent[],
): O[] {
  return outcomes.map((outcome, index) => {
    if (typeof outcome !== 'object') return outcome
    const own = events.filter(({ requestId }) => requestId === requestIds[index])
    return own.length === 0 ? outcome : { ...outcome, events: [...outcome.events, ...own] }
  })
}

/** Collects what follows for users from a change that is made in steps because it has many members. */
export function afterLargeChange(change: ChangedGroup, directory: WrittenDirectory, writes: WriteCollection): void {
  for (const effect of directory.effects ?? []) effect.afterLargeChange?.(change, directory, writes)
}
