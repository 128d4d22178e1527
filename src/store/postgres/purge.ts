import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database.ts'

const rowsPerStep = 500

/** The tables of a directory, those that others refer to last; what is left goes with the directory's row. */
const tables = [
  'deliveries',
  'held_deletions',
  'events',
  'members',
  'user_emails',
  'users',
  'groups',
  'list_counts',
] as const

/** How long to wait for another process that purges the same directory. */
const othersPauseMs = 50

/** Nothing of the directory may be left, also where another process that purges it, too, has not committed yet. */
const drop = `
  delete from directories d where d.id = $1
  ${tables.map((table) => `and not exists (select from ${table} t where t.directory_id = d.id)`).join('\n  ')}
  returning d.id`

/** Removes what deleted directories held, in steps that let other work through. Several processes may do so at once. */
export interface Purge {
  /** Looks for deleted directories, after what is under way. */
  start(): void
  /** Stops after the present step; the next start goes on. */
  stop(): Promise<void>
}

/** @param onError told when removing fails */
export function createPurge({ query }: Database, onError: (error: unknown) => void): Purge {
  let isStopped = false
  let running = Promise.resolve()

  async function purgeAll(): Promise<void> {
    const next = { text: 'select id from directories where deleted = 1 order by id limit 1', values: [] }
    for (let [row] = await query(next); row !== undefined && !isStopped; [row] = await query(next)) {
      for (const table of tables) await purgeTable(table, String(row['id']))
      if (isStopped) return
      const dropped = await query({ text: drop, values: [row['id']] })
      if (dropped.length === 0) await pause(othersPauseMs)
    }
  }

  async function purgeTable(table: (typeof tables)[number], directoryId: string): Promise<void> {
    const text = `
      with step as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where directory_id = $1 limit ${rowsPerStep} for update skip locked))
        returning 1
      )
      select count(*) as n from step`
    while (!isStopped) {
      const [row] = await query({ text, values: [directoryId] })
      if (Number(row?.['n']) === 0) return
      await nextTurn()
    }
  }

  return {
    start() {
      running = running.then(() => (isStopped ? undefined : purgeAll())).catch(onError)
    },
    stop() {
      isStopped = true
      return running
    },
  }
}
