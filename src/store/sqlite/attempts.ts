import type { DatabaseSync } from 'node:sqlite'
import type { AttemptStore } from '../../delivery/log/attempt-store.ts'
import { attemptColumns, attemptValues, decodeAttempt, maxEventsPerAttempt } from '../attempts.ts'
import type { Sealing } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'

const columns = attemptColumns.join(', ')

/** Attempts to deliver events, on SQLite. */
export function sqliteAttempts(db: DatabaseSync, { write }: GroupCommit, sealing: Sealing): AttemptStore {
  const live = db.prepare('select number from directories where id = ? and deleted = 0')
  const insert = db.prepare(`
    insert into delivery_attempts (number, ${columns}) values (?, ${attemptColumns.map(() => '?').join(', ')})
    on conflict do nothing`)
  const select = db.prepare(`
    select ${columns} from delivery_attempts
    where number = (select s.number from directory_state s where s.directory_id = ?1)
    and last_sequence >= ?2 and last_sequence < ?3 + ${maxEventsPerAttempt} and first_sequence <= ?3
    order by last_sequence, target, attempt, at limit ?4`)
  return {
    addAttempts: (directoryId, attempts) =>
      write(() => {
        const number = live.get(directoryId)?.['number']
        if (typeof number !== 'number') return
        for (const attempt of attempts) insert.run(number, ...attemptValues(attempt, sealing))
      }),
    attemptsOf: async (directoryId, { from, to }, limit) =>
      select.all(directoryId, from, to, limit).map((row) => decodeAttempt(row, sealing)),
  }
}
