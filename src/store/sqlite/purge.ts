import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GroupCommit } from './group-commit.ts'

const rowsPerStep = 500

/** The tables of a directory, those that others refer to last; what is left cascades from the directory's row. */
const tables = ['events', 'members', 'user_emails', 'users', 'groups'] as const

const keys = {
  events: 'directory_id, sequence',
  members: 'directory_id, group_id, member_id',
  user_emails: 'directory_id, email, user_id',
  users: 'directory_id, id',
  groups: 'directory_id, id',
} satisfies Record<(typeof tables)[number], string>

/**
 * Removes what deleted directories held, in steps that let other work through. Safe to repeat: a directory's row goes
 * last, so that the next call goes on where this one was stopped.
 */
export async function purgeDeleted(db: DatabaseSync, { write }: GroupCommit): Promise<void> {
  const next = db.prepare('select id from directories where deleted = 1 limit 1')
  const drop = db.prepare('delete from directories where id = ?')
  for (let row = next.get(); row !== undefined; row = next.get()) {
    const id = String(row['id'])
    for (const table of tables) await purgeTable(db, write, table, id)
    await write(() => ({ dropped: drop.run(id).changes }))
  }
}

async function purgeTable(
  db: DatabaseSync,
  write: GroupCommit['write'],
  table: (typeof tables)[number],
  directoryId: string,
): Promise<void> {
  const key = keys[table]
  const step = db.prepare(`delete from ${table} where (${key}) in (
    select ${key} from ${table} where directory_id = ? limit ${rowsPerStep})`)
  for (;;) {
    const { removed } = await write(() => ({ removed: Number(step.run(directoryId).changes) }))
    if (removed < rowsPerStep) return
    await nextTurn()
  }
}
