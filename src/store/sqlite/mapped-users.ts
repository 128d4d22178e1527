import type { DatabaseSync } from 'node:sqlite'
import type { Cause, StoredEvent } from '../../directory/event.ts'
import type { CompiledMapping } from '../../mapping/compiled.ts'
import { maxCharactersAtOnce } from '../../mapping/compiled.ts'
import type { EvaluatedUser, RoleChange } from '../mapped-users.ts'
import {
  decodeEvaluatedUser,
  decodeRoleCounts,
  reevaluate,
  roleCountsRead,
  shortageStatements,
  shortagesAfter,
} from '../mapped-users.ts'
import type { Row } from '../row.ts'
import { text } from '../row.ts'
import { userColumns } from '../users.ts'
import { readBounded } from './bounded-rows.ts'
import type { DirectoryState } from './events.ts'
import { createAdvance, createInsertEvents } from './events.ts'
import { rowKeysAfter } from './row-key.ts'
import type { RunStatement } from './sql-database.ts'
import { userGroups } from './user-reads.ts'

/** The roles and attributes of users. Everything here runs in the transaction of the caller. */
export interface MappedUsers {
  /** Evaluates the next users of a run; returns them, none at the end, and the number of those who changed. */
  evaluatePage(
    directory: DirectoryState,
    compiled: CompiledMapping,
    page: { readonly after: number; readonly limit: number; readonly cause: Cause },
  ): { readonly users: readonly EvaluatedUser[]; readonly changed: number }
  /** The users after a position. */
  usersAfter(directoryId: string, after: number, limit: number, maxCharacters?: number): EvaluatedUser[]
}

const everyGroup = 1_000_000_000

export function createMappedUsers(db: DatabaseSync, run: RunStatement): MappedUsers {
  const columns = `${userColumns}, ${userGroups(everyGroup)}`
  const page = db.prepare(`
    select ${columns} from users u where ${rowKeysAfter('u.row_key', '?2')} order by u.row_key limit ?3`)
  const write = createWriteEvaluated(db, run)
  const usersAfter: MappedUsers['usersAfter'] = (directoryId, after, limit, maxCharacters = maxCharactersAtOnce) =>
    readBounded(page.iterate(directoryId, after, limit), maxCharacters, charactersOf).map(decodeEvaluatedUser)
  return {
    usersAfter,
    evaluatePage(directory, compiled, { after, limit, cause }) {
      const users = usersAfter(directory.id, after, limit, compiled.charactersAtOnce)
      return { users, changed: write.evaluated(directory, compiled, users, cause).length }
    },
  }
}

const charactersOf = (row: Row): number => text(row, 'raw').length

/** Writes what an evaluation changes. */
function createWriteEvaluated(db: DatabaseSync, run: RunStatement) {
  const update = db.prepare('update users set mapped = ? where directory_id = ? and id = ?')
  const insertEvents = createInsertEvents(db)
  const advance = createAdvance(db)
  const roles = createWriteRoles(db, run)
  return {
    evaluated(
      directory: DirectoryState,
      compiled: CompiledMapping,
      users: readonly EvaluatedUser[],
      cause: Cause,
    ): readonly StoredEvent[] {
      const { written, events, roles: changed } = reevaluate(compiled, users, () => cause, directory.lastSequence)
      for (const { userId, mapped } of written) update.run(mapped ?? null, directory.id, userId)
      if (events.length > 0) {
        insertEvents(directory, events)
        advance(directory, directory.lastSequence + events.length, { at: cause.at })
      }
      roles(directory, compiled, changed, cause.at)
      return events
    },
  }
}

function createWriteRoles(db: DatabaseSync, run: RunStatement) {
  const insert = db.prepare(
    'insert into user_roles (directory_id, role, position, user_id) values (?, ?, ?, ?) on conflict do nothing',
  )
  const remove = db.prepare('delete from user_roles where directory_id = ? and role = ? and position = ?')
  const count = db.prepare(`
    insert into role_counts (directory_id, role, users) values (?, ?, ?)
    on conflict (directory_id, role) do update set users = users + excluded.users`)
  return (
    directory: DirectoryState,
    { keepAtLeast }: CompiledMapping,
    changes: readonly RoleChange[],
    at: number,
  ): void => {
    if (changes.length === 0) return
    const { id: directoryId, discardedEvents } = directory
    const isKept = keepAtLeast.size > 0 && changes.some(({ lost }) => lost.some((role) => keepAtLeast.has(role)))
    const counts = isKept ? decodeRoleCounts(run(roleCountsRead(directoryId))) : new Map<string, number>()
    for (const { userId, position, gained, lost } of changes) {
      for (const role of lost) {
        remove.run(directoryId, role, position)
        count.run(directoryId, role, -1)
      }
      for (const role of gained) {
        insert.run(directoryId, role, position, userId)
        count.run(directoryId, role, 1)
      }
    }
    const shortages = shortagesAfter(keepAtLeast, counts, changes)
    shortageStatements(directoryId, shortages, discardedEvents, at).forEach(run)
  }
}
