import type { Committed } from '../../directory/directory-store.ts'
import type { Cause, StoredEvent } from '../../directory/event.ts'
import type { MappingOfWrite } from '../mapped-users.ts'
import { reevaluate, runStart } from '../mapped-users.ts'
import type { Stage, WrittenDirectory } from './batch.ts'
import { writeOwnEvents } from './effects/events.ts'
import { writeRoles } from './effects/roles.ts'
import type { Facts } from './facts.ts'
import { users } from './tables.ts'
import { WriteCollection } from './writes.ts'

/** The users whom a commit may concern by the mapping of the directory, and the groups all of whose members it may concern. */
export interface Concerned {
  readonly users: ReadonlyMap<string, Cause>
  readonly groups: ReadonlyMap<string, Cause>
}

/**
 * Evaluates users again after the writes of a commit; too many of them are left to a run.
 *
 * @param answer the result, from the events about those for whom something changes
 */
export function evaluationAfter<T>(
  directory: WrittenDirectory,
  compiled: MappingOfWrite,
  { users: byId, groups }: Concerned,
  answer: (events: readonly StoredEvent[]) => T,
): Stage<T> {
  const { usersAtOnce: limit, charactersAtOnce: maxCharacters } = compiled
  const of = { userIds: [...byId.keys()], groupIds: [...groups.keys()] }
  const last = [...byId.values(), ...groups.values()].at(-1) ?? { requestId: '', at: 0 }
  const causeOf = (userId: string) => byId.get(userId) ?? [...groups.values()].at(-1) ?? last
  return {
    request: { evaluation: { of, limit, maxCharacters }, roleCounts: true },
    decide(facts) {
      const writes = new WriteCollection()
      if (facts.evaluation?.areAll !== true) {
        compiled.onRun?.()
        writes.run(runStart(directory.id, last))
        return { writes, answer: () => answer([]) }
      }
      const events = evaluate(directory, compiled, facts, causeOf, writes)
      return { writes, answer: () => answer(events) }
    },
  }
}

/**
 * Adds the events about users who were evaluated to the outcomes of the changes that caused them.
 *
 * @param requestIds the request of each change
 */
export function withEvaluated<O extends Committed | string | undefined>(
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

/** Collects what the evaluation of users writes; returns the events about those for whom something changes. */
export function evaluate(
  directory: WrittenDirectory,
  compiled: MappingOfWrite,
  facts: Facts,
  causeOf: (userId: string) => Cause,
  writes: WriteCollection,
): readonly StoredEvent[] {
  const lastSequence = facts.state?.lastSequence ?? 0
  const { written, events, roles } = reevaluate(compiled, facts.evaluation?.users ?? [], causeOf, lastSequence)
  for (const { userId: id, mapped = null } of written) writes.update(users, { id }, { mapped })
  writeOwnEvents(events, writes)
  const changed = roles.map(({ sequence, position, ...role }) => {
    return { ...role, position: { stored: position }, n: sequence - lastSequence }
  })
  const at = Math.max(0, ...events.map(({ createdAt }) => createdAt))
  if (changed.length > 0) writeRoles(changed, { directory, facts, at }, writes)
  return events
}
