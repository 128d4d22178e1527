import type { DatabaseSync } from 'node:sqlite'
import type { DeliveredAt } from '../../delivery/event-store.ts'
import type { DeprovisioningStore } from '../../diagnostics/deprovisioning/deprovisioning-store.ts'
import type { EngineDeprovisionings } from '../deprovisionings.ts'
import {
  bucketOf,
  dayMs,
  decodeOpenDeprovisioning,
  endedPerWrite,
  openDeprovisioningColumns,
} from '../deprovisionings.ts'
import { checkHealth } from '../health-checks.ts'
import { integer, text } from '../row.ts'
import type { GroupCommit } from './group-commit.ts'
import type { RunStatement } from './sql-database.ts'

/**
 * Ends the deprovisionings that delivered events report, in the transaction that the caller has open. Returns how long each
 * took, in milliseconds.
 */
export function createEndDeprovisionings(db: DatabaseSync) {
  const remove = db.prepare(`
    delete from deprovisionings where directory_id = ? and sequence = ? returning received_at as received_at`)
  const count = createCountTime(db)
  return (directoryId: string, delivered: readonly DeliveredAt[]): number[] =>
    delivered.flatMap(({ sequence, at }) => {
      const row = remove.get(directoryId, sequence)
      if (row === undefined) return []
      const ms = Math.max(0, at - integer(row, 'received_at'))
      count(directoryId, at, ms)
      return [ms]
    })
}

function createCountTime(db: DatabaseSync) {
  const count = db.prepare(`
    insert into deprovision_times (directory_id, day, bucket, deprovisionings) values (?, ?, ?, 1)
    on conflict do update set deprovisionings = deprovisionings + 1`)
  return (directoryId: string, at: number, ms: number): void => {
    count.run(directoryId, Math.floor(at / dayMs), bucketOf(ms))
  }
}

/** Writes of deprovisionings on SQLite. */
export function sqliteDeprovisionings(
  db: DatabaseSync,
  { write }: GroupCommit,
  run: RunStatement,
): EngineDeprovisionings {
  const overdue = db.prepare(`
    select directory_id, ${openDeprovisioningColumns} from deprovisionings indexed by deprovisionings_unreported
    where reported = 0 and received_at <= ? order by received_at limit ?`)
  const report = db.prepare('update deprovisionings set reported = 1 where directory_id = ? and sequence = ?')
  const through = db.prepare(
    'select sequence from deprovisionings where directory_id = ? and sequence <= ? order by sequence limit ?',
  )
  const end = createEndDeprovisionings(db)

  return {
    async takeOverdue(until, limit) {
      // Without any there is no write, which would be a commit.
      if (overdue.get(until, 1) === undefined) return []
      return write(() => {
        const found = overdue.all(until, limit)
        for (const row of found) report.run(text(row, 'directory_id'), integer(row, 'sequence'))
        const taken = found.map((row) => ({ ...decodeOpenDeprovisioning(row), directoryId: text(row, 'directory_id') }))
        for (const id of new Set(taken.map(({ directoryId }) => directoryId))) run(checkHealth(id))
        return taken
      })
    },
    pruneDeprovisionings: createPrune(db, write),
    endDeprovisionings: (directoryId, last, at) =>
      write(() => {
        const sequences = through.all(directoryId, last, endedPerWrite).map((row) => integer(row, 'sequence'))
        return end(
          directoryId,
          sequences.map((sequence) => ({ sequence, at })),
        )
      }),
  }
}

function createPrune(db: DatabaseSync, write: GroupCommit['write']): DeprovisioningStore['pruneDeprovisionings'] {
  const open = db.prepare(`
    delete from deprovisionings where (directory_id, sequence) in (
      select directory_id, sequence from deprovisionings where received_at < ? order by received_at limit ?)`)
  const times = db.prepare(`
    delete from deprovision_times where (directory_id, day, bucket) in (
      select directory_id, day, bucket from deprovision_times where day < ? order by day limit ?)`)
  return (before, limit) =>
    write(() => {
      const removed = Number(open.run(before, limit).changes)
      return removed + Number(times.run(Math.floor(before / dayMs), limit - removed).changes)
    })
}
