import type { UnnumberedEvent } from '../events.ts'
import { countUsers } from './effects/counts.ts'
import { openDeprovisionings } from './effects/deprovisionings.ts'
import type { EffectContext, UserChange, UserEffect } from './effects/effect.ts'
import { writeEvents } from './effects/events.ts'
import { countRemovedUsers } from './effects/removals.ts'
import { recognizeReturns } from './effects/returns.ts'
import { writeRolesOfUsers } from './effects/roles.ts'
import { searchUsers } from './effects/search-terms.ts'
import { writeUsers } from './effects/users.ts'
import type { WriteCollection } from './writes.ts'

/** Everything that follows from changes of users. */
const effects: readonly UserEffect[] = [
  writeUsers,
  countUsers,
  searchUsers,
  openDeprovisionings,
  recognizeReturns,
  countRemovedUsers,
  writeRolesOfUsers,
]

/** Collects what changes of users write, their events included. */
export function applyUserEffects(
  changes: readonly UserChange[],
  context: Omit<EffectContext, 'at'>,
  writes: WriteCollection,
): void {
  writeEvents(
    changes.map(({ event }) => event),
    writes,
  )
  const at = Math.max(0, ...changes.map(({ event }) => event.createdAt))
  for (const effect of effects) effect(changes, { ...context, at }, writes)
}

/** The events of a commit, in their order, once its first sequence number is known. */
export function numbered(event: UnnumberedEvent, n: number, lastSequence: number) {
  return { ...event, sequence: lastSequence + n }
}
