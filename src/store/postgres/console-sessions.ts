import type { ConsoleSessionStore } from '../../admin/sessions/store.ts'
import {
  consoleSessionColumns,
  consoleSessionValues,
  decodeConsoleSession,
  removedPerSignIn,
} from '../console-sessions.ts'
import type { Reader } from './reader.ts'

const add = `
  with pruned as (
    delete from console_sessions where digest = any(array(
      select digest from console_sessions where last_used_at < $6 order by last_used_at limit $7
      for update skip locked)))
  insert into console_sessions (${consoleSessionColumns}) values ($1, $2, $3, $4, $5)`
const one = `select ${consoleSessionColumns} from console_sessions where digest = $1`
const touch = 'update console_sessions set last_used_at = $2 where digest = $1 and last_used_at < $2'
const remove = 'delete from console_sessions where digest = $1'

/** The sessions of the console on PostgreSQL. */
export function postgresConsoleSessions({ rows, row }: Reader): ConsoleSessionStore {
  return {
    async createConsoleSession(session, unusedSince) {
      await rows({ text: add, values: [...consoleSessionValues(session), unusedSince, removedPerSignIn] })
    },
    async findConsoleSession(digest) {
      const found = await row({ text: one, values: [digest] })
      return found && decodeConsoleSession(found)
    },
    async touchConsoleSession(digest, at) {
      await rows({ text: touch, values: [digest, at] })
    },
    async deleteConsoleSession(digest) {
      await rows({ text: remove, values: [digest] })
    },
  }
}
