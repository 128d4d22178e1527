import type { DatabaseSync } from 'node:sqlite'
import type { ConsoleSessionStore } from '../../admin/sessions/store.ts'
import {
  consoleSessionColumns,
  consoleSessionValues,
  decodeConsoleSession,
  removedPerSignIn,
} from '../console-sessions.ts'
import type { GroupCommit } from './group-commit.ts'

/** The sessions of the console on SQLite. */
export function sqliteConsoleSessions(db: DatabaseSync, { write }: GroupCommit): ConsoleSessionStore {
  const add = db.prepare(`insert into console_sessions (${consoleSessionColumns}) values (?, ?, ?, ?, ?)`)
  const prune = db.prepare(`
    delete from console_sessions where digest in (
      select digest from console_sessions where last_used_at < ? order by last_used_at limit ?)`)
  const one = db.prepare(`select ${consoleSessionColumns} from console_sessions where digest = ?`)
  const touch = db.prepare('update console_sessions set last_used_at = ?1 where digest = ?2 and last_used_at < ?1')
  const remove = db.prepare('delete from console_sessions where digest = ?')

  return {
    async createConsoleSession(session, unusedSince) {
      await write(() => {
        prune.run(unusedSince, removedPerSignIn)
        add.run(...consoleSessionValues(session))
      })
    },
    async findConsoleSession(digest) {
      const row = one.get(digest)
      return row && decodeConsoleSession(row)
    },
    async touchConsoleSession(digest, at) {
      await write(() => ({ touched: touch.run(at, digest).changes }))
    },
    async deleteConsoleSession(digest) {
      await write(() => ({ removed: remove.run(digest).changes }))
    },
  }
}
