import type { HeldRole } from '../../../delivery/hold/hold-store.ts'
import type { GroupReference } from '../../../directory/group.ts'
import { unlimited } from '../../../directory/removal-limit.ts'
import type { MappedFields, User } from '../../../directory/user.ts'
import { userViewText } from '../../../directory/user.ts'
import { decideMapped, withMappedChanges } from '../../../mapping/change.ts'
import type { CompiledMapping } from '../../../mapping/compiled.ts'
import type { JsonText } from '../../../scim/json-text.ts'
import { fromJsonText, toJsonText } from '../../../scim/json-text.ts'
import { beginHold } from '../../holds.ts'
import type { CountedState } from '../../removals.ts'
import type { Row } from '../../row.ts'
import { integer, text } from '../../row.ts'
import type { Statement } from '../../sql-database.ts'
import type { FactsRequest } from '../facts.ts'
import type { Position } from '../numbers.ts'
import { positionValue } from '../numbers.ts'
import { roleCounts, userRoles } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'
import type { Effect, EffectContext } from './effect.ts'

/** Gives users their roles and attributes by the mapping of their directory; begins a hold when too few users keep a role. */
export function rolesOfUsers(
  mapping: CompiledMapping,
): Pick<Required<Effect>, 'usersAtOnce' | 'request' | 'complete' | 'write'> {
  const { evaluator, usersAtOnce, charactersAtOnce, isLeftToRun = false } = mapping
  return {
    usersAtOnce(changes) {
      let characters = 0
      const end = changes.findIndex(({ after }, index) => {
        characters += after?.raw.length ?? 0
        return index > 0 && (index >= usersAtOnce || characters > charactersAtOnce)
      })
      return end === -1 ? changes.length : end
    },
    request(changes, { id }) {
      const replaced = changes.flatMap(({ before, after }) => (before && after ? [before.id] : []))
      if (replaced.length > 0 && !isLeftToRun)
        return { users: replaced, withGroups: true, ...countsRequest(mapping, id) }
      return changes.some(({ after }) => after === undefined) ? countsRequest(mapping, id) : undefined
    },
    complete(change, facts) {
      const { before, after, event } = change
      if (isLeftToRun || after === undefined) return change
      const { mapped: stored, groups = [] } = (before && facts.users.get(before.id)) ?? {}
      const { mapped, changes } = decideMapped(evaluator, evaluatedUser(after, groups), stored)
      const shown = { ...after, mapped }
      const completed = { ...event, data: userViewText(shown) }
      const columns = { ...change.columns, mapped: mapped ?? null }
      // A new user has no changes.
      if (before === undefined) return { ...change, after: shown, event: completed, columns }
      const merged = withMappedChanges(event.changes ?? toJsonText({}), changes)
      return { ...change, after: shown, event: { ...completed, changes: merged }, columns }
    },
    write(changes, context, writes) {
      const changed = changes.flatMap(({ before, after, position, n, columns }): ChangedRoles[] => {
        const userId = (after ?? before)?.id
        if (userId === undefined || position === undefined) return []
        const stored = before && context.facts.users.get(before.id)?.mapped
        return changedRoles({ userId, position, n }, stored, columns === undefined ? after && stored : after?.mapped)
      })
      writeRoles(changed, mapping, context, writes)
    },
  }
}

/** A user as a mapping evaluates it. */
export function evaluatedUser({ raw, active }: Pick<User, 'raw' | 'active'>, groups: readonly GroupReference[]) {
  return { resource: fromJsonText(raw), active, groups }
}

/** A user whose roles may change by an event of the commit. */
interface UserOfEvent {
  readonly userId: string
  readonly position: Position
  /** The number of the event in the commit, from 1. */
  readonly n: number
}

/** The roles that a user gains and loses. */
export interface ChangedRoles extends UserOfEvent {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** The roles that differ between what is stored with a user before and after a change; none when all are the same. */
export function changedRoles(
  user: UserOfEvent,
  before: JsonText<MappedFields> | undefined,
  after: JsonText<MappedFields> | undefined,
): ChangedRoles[] {
  if (before === after) return []
  const [had, has] = [before, after].map((stored) => (stored === undefined ? [] : fromJsonText(stored).roles))
  const gained = (has ?? []).filter((role) => had?.includes(role) !== true)
  const lost = (had ?? []).filter((role) => has?.includes(role) !== true)
  return gained.length + lost.length === 0 ? [] : [{ ...user, gained, lost }]
}

/** Writes the roles that users gain and lose; begins a hold when too few users keep one. */
export function writeRoles(
  changes: readonly ChangedRoles[],
  { keepAtLeast }: Pick<CompiledMapping, 'keepAtLeast'>,
  { directory, facts: { state, rows }, at }: EffectContext,
  writes: WriteCollection,
): void {
  if (changes.length === 0) return
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
  if (state === undefined) return
  const shortages = shortagesAfter(keepAtLeast, decodeRoleCounts(rows['roleCounts']), changes)
  writes.run(...shortages.flatMap((shortage) => beginShortage(directory.id, shortage, state, at)))
}

/** Reads how many users have each role, if some must keep one. */
export function countsRequest(
  { keepAtLeast }: Pick<CompiledMapping, 'keepAtLeast'>,
  directoryId: string,
): FactsRequest {
  return keepAtLeast.size === 0 ? {} : { reads: { roleCounts: roleCountsRead(directoryId) } }
}

/** Reads how many users have each role, for `decodeRoleCounts`. */
export function roleCountsRead(directoryId: string): Statement {
  return { text: 'select role, users from role_counts where directory_id = $1', values: [directoryId] }
}

export function decodeRoleCounts(rows: readonly Row[] = []): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => [text(row, 'role'), integer(row, 'users')]))
}

/** A role that fewer users have than must keep it. */
interface RoleShortage extends HeldRole {
  /** The number of the event of the user whose loss makes them too few. */
  readonly n: number
}

/**
 * The shortages that changes cause: after all of them, fewer users have a role than must keep it, and some of them lost it.
 *
 * @param counts how many users had each role before
 */
export function shortagesAfter(
  keepAtLeast: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
  changes: readonly Pick<ChangedRoles, 'n' | 'gained' | 'lost'>[],
): RoleShortage[] {
  return [...keepAtLeast].flatMap(([role, minimum]) => {
    let users = counts.get(role) ?? 0
    let first: number | undefined
    for (const { n, gained, lost } of changes) {
      users += Number(gained.includes(role)) - Number(lost.includes(role))
      if (users < minimum && lost.includes(role)) first ??= n
    }
    return first === undefined || users >= minimum ? [] : [{ role, minimum, users, n: first }]
  })
}

/** Holds the events of a directory because of a shortage. */
function beginShortage(
  directoryId: string,
  { n, ...role }: RoleShortage,
  { lastSequence, discardedEvents }: CountedState,
  at: number,
): Statement[] {
  const firstSequence = lastSequence + n
  const version = firstSequence + discardedEvents
  const counts = { removals: 0, removalsBefore: 0, highest: 0, countedFrom: version, limit: unlimited }
  return beginHold({ directoryId, since: at, reason: 'roles', role, ...counts, firstSequence, version })
}
