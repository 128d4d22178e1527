import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { groupColumns } from '../groups.ts'
import { integer } from '../row.ts'
import { decodeOwners, termStep } from '../search-terms.ts'
import { userColumns } from '../users.ts'
import type { Database } from './database.ts'
import { resourcePage } from './resync.ts'
import { removeTerms } from './search-terms.ts'
import { ofDirectory } from './sql.ts'

const rowsPerStep = 500

/** The tables with a directory's rows, referenced ones last; the others cascade from the directory's own row. */
const tables = [
  'deliveries',
  'request_batches',
  'refused_subjects',
  'request_bodies',
  'delivery_attempts',
  'held_deletions',
  'deprovisionings',
  'event_volumes',
  'feed_runs',
  'deleted_users',
  'removed_users',
  'removed_memberships',
  'events',
  'members',
  'user_roles',
  'user_emails',
  'users',
  'groups',
  'list_counts',
] as const

/** The time to wait for another process that purges the same directory. */
const otherProcessPauseMs = 50

/** Deletes the directory's row once no other rows are left, including those that another process is just deleting. */
const drop = `
  delete from directories d where d.id = $1
  ${tables.map((table) => `and not exists (select from ${table} t where t.directory_id = d.id)`).join('\n  ')}
  returning d.id`

const pages = { user: resourcePage('users', 'u', userColumns), group: resourcePage('groups', 'g', groupColumns) }

/** Purges deleted directories in small steps between other work. Several processes may do so concurrently. */
export interface Purge {
  /** Purges the directories that are deleted by now, after the running purge. */
  start(): void
  /** Stops after the current step; the next start continues. */
  stop(): Promise<void>
}

/** @param onError called when purging fails */
export function createPurge({ query }: Database, onError: (error: unknown) => void): Purge {
  let isStopped = false
  let running = Promise.resolve()

  async function purgeAll(): Promise<void> {
    const next = { text: 'select id, product from directories where deleted = 1 order by id limit 1', values: [] }
    for (let [row] = await query(next); row !== undefined && !isStopped; [row] = await query(next)) {
      const directory = { directoryId: String(row['id']), product: String(row['product']) }
      await purgeSearchTerms(directory)
      for (const table of tables) await purgeTable(table, directory.directoryId)
      if (isStopped) return
      const dropped = await query({ text: drop, values: [row['id']] })
      if (dropped.length === 0) await pause(otherProcessPauseMs)
    }
  }

  /** The terms of users and groups are found by these. */
  async function purgeSearchTerms(directory: {
    readonly directoryId: string
    readonly product: string
  }): Promise<void> {
    for (const kind of ['user', 'group'] as const) {
      for (let after = 0; !isStopped; ) {
        const values = [directory.directoryId, after, Number.MAX_SAFE_INTEGER, termStep.rows, termStep.bytes]
        const rows = await query({ text: pages[kind], values })
        const last = rows.at(-1)
        if (last === undefined) break
        after = integer(last, 'sequence')
        for (const statement of removeTerms({ ...directory, kind }, decodeOwners(kind, rows))) await query(statement)
      }
    }
  }

  async function purgeTable(table: (typeof tables)[number], directoryId: string): Promise<void> {
    const text = `
      with step as (
        delete from ${table} where ${ofDirectory()} and ctid = any(array(
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
