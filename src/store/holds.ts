import type { AcceptedReasons, HeldRole, Hold, HoldStore } from '../delivery/hold/hold-store.ts'
import { eventHoldReasons } from '../delivery/hold/hold-store.ts'
import type { SplitHolds } from '../delivery/hold/reasons.ts'
import { firstHeld, splitHolds } from '../delivery/hold/reasons.ts'
import type { Directory } from '../directory/directory.ts'
import type { RemovalKind, RemovalLimit } from '../directory/removal-limit.ts'
import { removalKinds, removalsWithin, unlimited } from '../directory/removal-limit.ts'
import { checkHealth } from './health-checks.ts'
import { fields, recordOf } from './record.ts'
import type { RemovalDecision } from './removals.ts'
import { decodeRemovedUser, decodeWindow, removedUserColumns } from './removals.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { addsWork } from './streams.ts'
import { markChanged } from './volumes.ts'

const holds = recordOf<Omit<Hold, 'role' | 'isDiscarding'>>({
  directoryId: fields.text,
  since: fields.integer,
  reason: fields.oneOf(eventHoldReasons),
  limit: fields.group<RemovalLimit>({
    percent: fields.integer,
    minimum: fields.integer,
    windowSeconds: fields.integer,
  }),
  removals: fields.integer,
  removalsBefore: fields.integer,
  highest: fields.integer,
  firstSequence: fields.integer,
  countedFrom: fields.integer,
  version: fields.integer,
})

/** The columns of `decodeHold`, of a hold `h`. */
const holdColumns = `${holds.columnsOf('h')}, h.role, h.role_minimum, h.role_users, h.discarding`

/** Decodes a row of `holdColumns`. */
export function decodeHold(row: Row): Hold {
  return {
    ...holds.decode(row),
    ...decodeHeldRole(row),
    ...(boolean(row, 'discarding') ? { isDiscarding: true } : {}),
  }
}

/** Decodes the columns `role`, `role_minimum` and `role_users` of a hold; the role is empty for other reasons. */
export function decodeHeldRole(row: Row): { readonly role?: HeldRole } {
  const role = text(row, 'role')
  if (role === '') return {}
  return { role: { role, minimum: integer(row, 'role_minimum'), users: integer(row, 'role_users') } }
}

const ofDirectory = `
  select ${holdColumns} from holds h join directory_state s on s.directory_id = h.directory_id
  where s.revision >= 0 and h.directory_id = $1 order by h.first_sequence, h.version, h.reason, h.role`

/** Reads the holds of a directory by their first events, for `decodeHold`. */
export function holdsRead(directoryId: string): Statement {
  return { text: ofDirectory, values: [directoryId] }
}

/** Without those of adoptions, which are intended. */
const count = `
  select count(distinct directory_id) as directories,
    cast(coalesce(sum(removals - removals_before), 0) as bigint) as removals
  from holds where reason <> 'adoption'`
const active = `
  select s.active_users, 'users' as kind, coalesce(w.buckets, '[]') as buckets, coalesce(w.held, 0) as held
  from directory_state s left join removal_windows w on w.directory_id = s.directory_id and w.kind = 'users'
  where s.directory_id = $1 and s.revision >= 0`
const removed = `
  select ${removedUserColumns} from removed_users r where r.directory_id = $1 and r.row_position >= 0 and r.row_position > $2
  order by r.row_position limit $3`

const isAnyNew = 'select 1 as found from holds where reported = 0 limit 1'
/** Holds that another process is taking are left to it. */
const takeNew = `select ${holdColumns} from holds h where h.reported = 0 limit $1 for update skip locked`
const report = 'update holds set reported = 1 where directory_id = $1 and reason = $2 and role = $3'

/** Holds: counting and listing them. */
export function createHoldStore({
  query,
  transaction,
}: SqlDatabase): Omit<HoldStore, 'sendableIds' | 'releaseHold' | 'discardHold'> {
  const getHolds: HoldStore['getHolds'] = async (directoryId) => (await query(holdsRead(directoryId))).map(decodeHold)
  return {
    getHolds,
    async removalCounts(directoryId, limit, now) {
      const [found] = await query({ text: active, values: [directoryId] })
      if (found === undefined) return undefined
      const activeUsers = integer(found, 'active_users')
      const within = removalsWithin(decodeWindow(found).buckets, limit, now)
      const highest = Math.max(within.highest, activeUsers)
      return { holds: await getHolds(directoryId), activeUsers, removals: within.removals, highest }
    },
    async removedUsers({ directoryId, countedFrom }, after, limit) {
      const values = [directoryId, Math.max(after, countedFrom - 1), limit]
      return (await query({ text: removed, values })).map(decodeRemovedUser)
    },
    async countHolds() {
      const [found = {}] = await query({ text: count, values: [] })
      return { directories: integer(found, 'directories'), removals: integer(found, 'removals') }
    },
    // Nothing is written, so nothing waits for the disk, while no hold is new.
    async takeNewHolds(limit) {
      if ((await query({ text: isAnyNew, values: [] })).length === 0) return []
      return transaction([{ text: takeNew, values: [limit] }], ([found = []]) => {
        const taken = found.map(decodeHold)
        return { statements: taken.map((hold) => ({ text: report, values: holdKey(hold) })), answer: taken }
      })
    },
  }
}

/** The values of the primary key. */
export function holdKey({ directoryId, reason, role }: Hold) {
  return [directoryId, reason, role?.role ?? ''] as const
}

/** A hold for a role is in effect until it ends: a further loss only changes its numbers. */
const begin = `
  insert into holds (role, role_minimum, role_users, ${holds.columns}) values ($1, $2, $3, ${holds.parameters(4)})
  on conflict (directory_id, reason, role) do update set role_minimum = excluded.role_minimum, role_users = excluded.role_users`
const holdFrom = `
  update directory_state set held_from = $2 where directory_id = $1 and (held_from is null or held_from > $2)`

/** The statements that begin a hold, in the commit of its first event. */
export function beginHold(hold: Hold): Statement[] {
  const { directoryId, firstSequence, role } = hold
  const values = [role?.role ?? '', role?.minimum ?? null, role?.users ?? null, ...holds.values(hold)]
  return [{ text: begin, values }, { text: holdFrom, values: [directoryId, firstSequence] }, checkHealth(directoryId)]
}

/**
 * The statements that hold the events of a new directory until its users are linked. The hold is reported when it holds the first one:
 * see `firstHeldChange`.
 */
export function beginAdoption({ id: directoryId, createdAt: since }: Directory, firstSequence: number): Statement[] {
  const counts = { limit: unlimited, removals: 0, removalsBefore: 0, highest: 0, countedFrom: firstSequence }
  const hold = { directoryId, since, reason: 'adoption', ...counts, firstSequence, version: firstSequence } as const
  return [...beginHold(hold), { text: report, values: holdKey(hold) }]
}

const ofAdoption = "directory_id = $1 and reason = 'adoption' and role = ''"
const arrive = `update holds set since = $2, reported = 0 where ${ofAdoption}`

/** The statement that follows the first change of users or groups of a directory: what an adoption holds begins with it. */
export function firstHeldChange(directoryId: string, at: number): Statement {
  return { text: arrive, values: [directoryId, at] }
}

/** Both change nothing unless the last event is the first that is held: holds for other reasons begin with an event of a user or group. */
const letPass = [
  `update holds set first_sequence = first_sequence + 1 where ${ofAdoption}
    and first_sequence = (select s.last_sequence from directory_state s where s.directory_id = $1)`,
  'update directory_state set held_from = held_from + 1 where directory_id = $1 and held_from = last_sequence',
]

/** The statements that let the last event of a directory, which is about the directory itself, pass a hold that holds nothing yet. */
export function passEmptyHold(directoryId: string): Statement[] {
  return letPass.map((one) => ({ text: one, values: [directoryId] }))
}

const recount = 'update holds set removals = $3, removals_before = $4 where directory_id = $1 and reason = $2'

const saveWindow = `
  insert into removal_windows (directory_id, kind, buckets, held) values ($1, $2, $3, $4)
  on conflict (directory_id, kind) do update set buckets = excluded.buckets, held = excluded.held`

/** The statements that store the counted removals of a decision, and begin its hold, or count on. */
export function countStatements(
  directoryId: string,
  kind: RemovalKind,
  { buckets, isHeld, hold, held }: Pick<RemovalDecision, 'buckets' | 'isHeld' | 'hold' | 'held'>,
): Statement[] {
  const counted = { text: saveWindow, values: [directoryId, kind, buckets, Number(isHeld)] }
  if (hold !== undefined) return [counted, ...beginHold({ directoryId, ...hold })]
  if (held === undefined) return [counted]
  return [counted, { text: recount, values: [directoryId, kind, held.removals, held.removalsBefore] }]
}

const setHeldFrom = `
  update directory_state set held_from = $2, ${addsWork('endpoint')}, ${addsWork('on-event')} where directory_id = $1`
const moveFirst = 'update holds set first_sequence = $2 where directory_id = $1 and first_sequence > $2'
const remove = 'delete from holds where directory_id = $1 and reason = $2 and role = $3'
const forget = 'delete from removal_windows where directory_id = $1 and kind = $2'

/**
 * The statements that end holds: the removals that they count no longer count, the directory is held from the first event of those
 * that remain, and its targets and the feed may have new events.
 *
 * @param now the time in Unix milliseconds, as SQL
 */
export function endHolds(directoryId: string, { ended, remaining, movedTo }: SplitHolds, now: string): Statement[] {
  const kinds = removalKinds.filter((kind) => ended.some(({ reason }) => reason === kind))
  return [
    ...ended.map((hold) => ({ text: remove, values: holdKey(hold) })),
    ...kinds.map((kind) => ({ text: forget, values: [directoryId, kind] })),
    ...(movedTo === undefined ? [] : [{ text: moveFirst, values: [directoryId, movedTo] }]),
    { text: setHeldFrom, values: [directoryId, firstHeld(remaining) ?? null] },
    markChanged(directoryId, now),
    checkHealth(directoryId),
  ]
}

/** The holds that a release ends: none of which a discard has removed events. */
export function releasedHolds(
  present: readonly Hold[],
  accepted: AcceptedReasons | undefined,
): SplitHolds | 'not-held' | 'discarding' {
  const split = splitHolds(present, accepted)
  if (split.ended.length === 0) return 'not-held'
  return split.ended.some(({ isDiscarding }) => isDiscarding) ? 'discarding' : split
}
