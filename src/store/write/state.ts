import { changeBehaviors } from '../../directory/behaviors.ts'
import { checkHealth } from '../health-checks.ts'
import { firstHeldChange } from '../holds.ts'
import type { CountedState } from '../removals.ts'
import type { Statement } from '../sql-database.ts'
import { marksWork } from '../streams.ts'
import type { StateChange, Writes } from './writes.ts'

/** An assignment to a column of `directory_state`: SQL in which `%` is the value. */
export interface Assignment {
  readonly sql: string
  readonly value: number
}

/** The assignments of a commit. The first is of the last sequence number, by the number of events. */
export function stateAssignments(change: StateChange): Assignment[] {
  const { events, activeUsers, memberships, discardedEvents, changedAt, behaviors } = change
  const shown = changeBehaviors.flatMap((behavior) => {
    const at = behaviors.get(behavior)
    const [first, last] = [`first_${behavior}_at`, `last_${behavior}_at`]
    return at === undefined ? [] : [{ sql: `${first} = coalesce(${first}, %), ${last} = %`, value: at }]
  })
  return [
    { sql: 'last_sequence = last_sequence + %', value: events },
    ...(discardedEvents === 0 ? [] : [{ sql: 'discarded_events = discarded_events + %', value: discardedEvents }]),
    ...(activeUsers === 0 ? [] : [{ sql: 'active_users = active_users + %', value: activeUsers }]),
    ...(memberships === 0 ? [] : [{ sql: 'memberships = memberships + %', value: memberships }]),
    ...(changedAt === undefined ? [] : [{ sql: 'last_change_at = %', value: changedAt }]),
    ...shown,
  ]
}

/** Adds the changes of a step to those of the steps before it. */
export function addChange(to: StateChange, { changedAt, behaviors, ...step }: StateChange): void {
  to.events += step.events
  to.activeUsers += step.activeUsers
  to.memberships += step.memberships
  to.discardedEvents += step.discardedEvents
  to.changedAt = changedAt ?? to.changedAt
  for (const [behavior, at] of behaviors) to.behaviors.set(behavior, at)
}

/** The counters of a directory after a change. */
export function stateAfter<S extends CountedState>(state: S, change: StateChange): S {
  return {
    ...state,
    lastSequence: state.lastSequence + change.events,
    discardedEvents: state.discardedEvents + change.discardedEvents,
    activeUsers: state.activeUsers + change.activeUsers,
    memberships: state.memberships + change.memberships,
    hasChanged: state.hasChanged || change.changedAt !== undefined,
  }
}

/**
 * The statements that follow the rows of a commit. The first change of a directory makes a check of its health due: without a consumer, its
 * events count as unread from then on. If it is held until its users are linked, this is reported.
 */
export function statementsAfter(
  { id, hasChanged }: Pick<CountedState, 'hasChanged'> & { readonly id: string },
  { state, statements }: Pick<Writes, 'state' | 'statements'>,
): readonly Statement[] {
  if (hasChanged || state.changedAt === undefined) return statements
  return [...statements, firstHeldChange(id, state.changedAt), checkHealth(id)]
}

/** Returns whether a commit changes the state; without events, only memberships may end, of what was deleted before. */
export function changesState({ events, discardedEvents, memberships }: StateChange): boolean {
  return events !== 0 || discardedEvents !== 0 || memberships !== 0
}

/** The statement of the assignments. @param isMarked whether polling and retention need not be told that the directory has events */
export function stateText(
  assignments: readonly Assignment[],
  parameter: (index: number) => string,
  isMarked: boolean,
): string {
  const set = assignments.map(({ sql }, index) => sql.replaceAll('%', parameter(index)))
  return `update directory_state set ${[...set, ...(isMarked ? [] : [marksWork])].join(', ')} where directory_id = $1`
}
