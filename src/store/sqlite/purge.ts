import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { groupColumns } from '../groups.ts'
import { integer, text } from '../row.ts'
import { decodeOwners, termStep } from '../search-terms.ts'
import { userColumns } from '../users.ts'
import { readBounded } from './bounded-rows.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKey, rowKeysAfter } from './row-key.ts'
import { createSearchTerms } from './search-terms.ts'

const rowsPerStep = 500

const ofDirectory = 'directory_id = ?1'

/**
 * The tables with a directory's rows, their keys, and the condition that finds the rows; referenced tables last. The
 * others cascade from the directory's own row.
 */
const tables = [
  { table: 'deliveries', key: 'row_key', rows: ofDirectory },
  { table: 'request_batches', key: 'directory_id, position', rows: ofDirectory },
  { table: 'refused_subjects', key: 'subject, directory_id', rows: ofDirectory },
  { table: 'request_bodies', key: 'directory_id, position', rows: ofDirectory },
  {
    table: 'delivery_attempts',
    key: 'number, last_sequence, target, attempt, at',
    rows: 'number = (select s.number from directory_state s where s.directory_id = ?1)',
  },
  { table: 'held_deletions', key: 'directory_id, run_id, kind, id', rows: ofDirectory },
  { table: 'event_volumes', key: 'directory_id, minute', rows: ofDirectory },
  { table: 'feed_runs', key: 'directory_id, last_sequence', rows: ofDirectory },
  { table: 'deprovisionings', key: 'directory_id, sequence', rows: ofDirectory },
  { table: 'deleted_users', key: 'directory_id, user_id', rows: ofDirectory },
  { table: 'removed_users', key: 'directory_id, row_position', rows: ofDirectory },
  { table: 'removed_memberships', key: 'directory_id, row_position', rows: ofDirectory },
  { table: 'events', key: 'row_key', rows: rowKeysAfter('row_key', '0') },
  { table: 'members', key: 'directory_id, group_id, member_id', rows: ofDirectory },
  { table: 'user_roles', key: 'directory_id, role, position', rows: ofDirectory },
  { table: 'user_emails', key: 'directory_id, email, user_id', rows: ofDirectory },
  { table: 'users', key: 'rowid', rows: ofDirectory },
  { table: 'groups', key: 'rowid', rows: ofDirectory },
] as const

/**
 * Purges deleted directories in small steps between other work. A directory's own row is deleted last, so the next call
 * continues where this one stopped.
 */
export async function purgeDeleted(db: DatabaseSync, { write }: GroupCommit): Promise<void> {
  const next = db.prepare('select id, number, product from directories where deleted = 1 limit 1')
  const drop = db.prepare('delete from directories where id = ?')
  for (let row = next.get(); row !== undefined; row = next.get()) {
    const id = String(row['id'])
    await purgeSearchTerms(db, write, { id, number: integer(row, 'number'), product: String(row['product']) })
    for (const table of tables) await purgeTable(db, write, table, id)
    await write(() => ({ dropped: drop.run(id).changes }))
  }
}

async function purgeTable(
  db: DatabaseSync,
  write: GroupCommit['write'],
  { table, key, rows }: (typeof tables)[number],
  directoryId: string,
): Promise<void> {
  const step = db.prepare(`delete from ${table} where (${key}) in (
    select ${key} from ${table} where ${rows} limit ${rowsPerStep})`)
  for (;;) {
    const { removed } = await write(() => ({ removed: Number(step.run(directoryId).changes) }))
    if (removed < rowsPerStep) return
    await nextTurn()
  }
}

/** Removes the terms of the users and groups of a directory, which are found by these. */
async function purgeSearchTerms(
  db: DatabaseSync,
  write: GroupCommit['write'],
  { id, number, product }: { readonly id: string; readonly number: number; readonly product: string },
): Promise<void> {
  const terms = createSearchTerms(db)
  const limit = `limit ${termStep.rows}`
  const pages = {
    user: db.prepare(
      `select ${userColumns} from users u where u.directory_id = ? and u.sequence > ? order by u.sequence ${limit}`,
    ),
    group: db.prepare(
      `select ${groupColumns} from groups g where g.directory_id = ? and g.sequence > ? order by g.sequence ${limit}`,
    ),
  }
  for (const kind of ['user', 'group'] as const) {
    for (let after = 0; ; ) {
      const rows = readBounded(pages[kind].iterate(id, after), termStep.bytes, (row) => text(row, 'raw').length)
      const last = rows.at(-1)
      if (last === undefined) break
      after = integer(last, 'sequence')
      await write(() => {
        for (const { sequence, terms: own } of decodeOwners(kind, rows))
          terms.remove({ product, kind, rowKey: rowKey(number, sequence) }, own)
        return {}
      })
      await nextTurn()
    }
  }
}
