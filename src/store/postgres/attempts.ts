import type { AttemptStore } from '../../delivery/log/attempt-store.ts'
import { attemptColumns, attemptValues, decodeAttempt, maxEventsPerAttempt } from '../attempts.ts'
import type { Sealing } from '../sealing.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'
import { arrayParameters, columnsOf } from './sql.ts'

const columns = attemptColumns.join(', ')
const types = ['int8', 'int8', 'text', 'int4', 'int8', 'int4', 'text', 'int8', 'text', 'text'] as const

/** The lock delays a deletion of the directory, whose purge then sees these rows. */
const add = `
  with directory as (
    select id from directories where id = $1 and deleted <> 1 for share
  )
  insert into delivery_attempts (directory_id, ${columns})
  select d.id, ${attemptColumns.map((column) => `a.${column}`).join(', ')}
  from directory d cross join unnest(${arrayParameters(2, types)}) as a (${columns})
  on conflict do nothing`

const select = `
  select ${columns} from delivery_attempts
  where directory_id = $1 and last_sequence >= $2 and last_sequence < $3::int8 + ${maxEventsPerAttempt}
  and first_sequence <= $3::int8 order by last_sequence, target, attempt, at limit $4`

/** Attempts to deliver events, on PostgreSQL. */
export function postgresAttempts({ query }: Database, { rows }: Reader, sealing: Sealing): AttemptStore {
  return {
    async addAttempts(directoryId, attempts) {
      const written = attempts.map((attempt) => attemptValues(attempt, sealing))
      await query({ text: add, values: [directoryId, ...columnsOf(types, written)] })
    },
    attemptsOf: async (directoryId, { from, to }, limit) =>
      (await rows({ text: select, values: [directoryId, from, to, limit] })).map((row) => decodeAttempt(row, sealing)),
  }
}
