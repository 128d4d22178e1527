import type { HoldStore } from '../delivery/hold/hold-store.ts'
import { removalsWithin } from '../directory/removal-limit.ts'
import { decodeHold, decodeRemovedUser, decodeWindow, holdColumns, removedUserColumns } from './removals.ts'
import { integer } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { addsWork } from './streams.ts'
import { markChanged } from './volumes.ts'

/** The operations that depend on how an engine stores events, and makes the writes to a directory wait. */
export type EngineHolds = Pick<HoldStore, 'sendableIds' | 'releaseHold' | 'discardHold'>

const select = `
  select ${holdColumns} from holds h join directory_state s on s.directory_id = h.directory_id where s.revision >= 0`
const byDirectory = `${select} and h.directory_id = $1`
const page = `${select} and h.directory_id > $1 order by h.directory_id limit $2`
const count = `
  select count(*) as directories, cast(coalesce(sum(removals - removals_before), 0) as bigint) as removals from holds`
const active = `
  select s.active_users, coalesce(w.buckets, '[]') as buckets from directory_state s
  left join removal_windows w on w.directory_id = s.directory_id and w.kind = 'users'
  where s.directory_id = $1 and s.revision >= 0`
const removed = `
  select ${removedUserColumns} from removed_users r where r.directory_id = $1 and r.row_position > $2
  order by r.row_position limit $3`

const isAnyNew = 'select 1 as found from holds where reported = 0 limit 1'
/** Holds that another process is taking are left to it. */
const takeNew = `
  select ${holdColumns} from (select * from holds where reported = 0 limit $1 for update skip locked) h
  join directory_state s on s.directory_id = h.directory_id`
const report = 'update holds set reported = 1 where directory_id = $1'

const unmark = `
  update directory_state set held_from = null, ${addsWork('endpoint')}, ${addsWork('on-event')} where directory_id = $1`
const remove = 'delete from holds where directory_id = $1'
const forget = 'delete from removal_windows where directory_id = $1'

/** Holds: counting and listing them. */
export function createHoldStore({ query, transaction }: SqlDatabase): Omit<HoldStore, keyof EngineHolds> {
  const getHold: HoldStore['getHold'] = async (directoryId) => {
    const [found] = await query({ text: byDirectory, values: [directoryId] })
    return found && decodeHold(found)
  }
  return {
    getHold,
    async removalCounts(directoryId, limit, now) {
      const [found] = await query({ text: active, values: [directoryId] })
      if (found === undefined) return undefined
      const activeUsers = integer(found, 'active_users')
      const within = removalsWithin(decodeWindow(found), limit, now)
      const highest = Math.max(within.highest, activeUsers)
      return { hold: await getHold(directoryId), activeUsers, removals: within.removals, highest }
    },
    async removedUsers({ directoryId, countedFrom }, after, limit) {
      const values = [directoryId, Math.max(after, countedFrom - 1), limit]
      return (await query({ text: removed, values })).map(decodeRemovedUser)
    },
    listHolds: async (after, limit) => (await query({ text: page, values: [after, limit] })).map(decodeHold),
    async countHolds() {
      const [found = {}] = await query({ text: count, values: [] })
      return { directories: integer(found, 'directories'), removals: integer(found, 'removals') }
    },
    // Nothing is written, so nothing waits for the disk, while no hold is new.
    async takeNewHolds(limit) {
      if ((await query({ text: isAnyNew, values: [] })).length === 0) return []
      return transaction([{ text: takeNew, values: [limit] }], ([found = []]) => {
        const holds = found.map(decodeHold)
        return { statements: holds.map((hold) => ({ text: report, values: [hold.directoryId] })), answer: holds }
      })
    },
  }
}

/**
 * The statements that end the hold of a directory: earlier removals count no longer, and its targets and the feed may have new
 * events.
 *
 * @param now the time in Unix milliseconds, as SQL
 */
export function endHold(directoryId: string, now: string): Statement[] {
  const statements = [unmark, remove, forget].map((text) => ({ text, values: [directoryId] }))
  return [...statements, markChanged(directoryId, now)]
}
