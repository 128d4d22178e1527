import type { RoleChange } from '../../mapped-users.ts'
import { shortageStatements, shortagesAfter } from '../../mapped-users.ts'
import type { CountedState } from '../../removals.ts'
import type { Position } from '../numbers.ts'
import { positionValue } from '../numbers.ts'
import { roleCounts, userRoles } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import type { EffectContext, UserEffect } from './effect.ts'

/** The roles that a user gains and loses by an event of the commit. */
export interface ChangedRoles {
  readonly userId: string
  readonly position: Position
  /** The number of the event in the commit, from 1. */
  readonly n: number
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** Writes the roles that users gain and lose; begins a hold when too few users keep one. */
export function writeRoles(changes: readonly ChangedRoles[], context: EffectContext, writes: WriteCollection): void {
  const counts = new Map<string, number>()
  const count = (role: string, by: number) => counts.set(role, (counts.get(role) ?? 0) + by)
  for (const { userId: user_id, position, gained, lost } of changes) {
    for (const role of lost) {
      writes.write('remove', userRoles, { role, position: positionValue(position) })
      count(role, -1)
    }
    for (const role of gained) {
      writes.write('keep', userRoles, { role, position: positionValue(position), user_id })
      count(role, 1)
    }
  }
  for (const [role, by] of counts) if (by !== 0) writes.write('add', roleCounts, { role, users: by })
  const { compiled, id } = context.directory
  const { state, roleCounts: before } = context.facts
  if (compiled === undefined || state === undefined) return
  const shortages = shortagesAfter(
    compiled.keepAtLeast,
    before,
    changes.flatMap((one) => numbered(one, state)),
  )
  writes.run(...shortageStatements(id, shortages, state.discardedEvents, context.at))
}

function numbered({ position, n, ...change }: ChangedRoles, { lastSequence }: CountedState): RoleChange[] {
  return 'stored' in position ? [{ ...change, position: position.stored, sequence: lastSequence + n }] : []
}

/** Writes the roles of users who are created, replaced and deleted. */
export const writeRolesOfUsers: UserEffect = (changes, context, writes) => {
  const changed = changes.flatMap(({ before, after, position, n, gained, lost }): ChangedRoles[] => {
    const userId = (after ?? before)?.id
    if (userId === undefined || position === undefined || gained.length + lost.length === 0) return []
    return [{ userId, position, n, gained, lost }]
  })
  if (changed.length > 0) writeRoles(changed, context, writes)
}
