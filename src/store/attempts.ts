import { deliveryTargets } from '../delivery/event-store.ts'
import type { AttemptStore, RecordedAttempt } from '../delivery/log/attempt-store.ts'
import { newId } from '../ids/new-id.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalInteger, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { attemptLocation } from './sealing.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The columns of an attempt without its directory, in the order of `attemptValues`, with their types. */
const columnTypes = {
  ...{ last_sequence: 'bigint', first_sequence: 'bigint', target: 'text', attempt: 'integer', at: 'bigint' },
  ...{ status: 'integer', error: 'text', duration_ms: 'bigint', response_id: 'text', response_body: 'text' },
}
const columns = Object.keys(columnTypes).join(', ')

/** The most events in a batch: an attempt that includes an event ends less than so many events after it. */
const maxEventsPerAttempt = 1_000

/** The lock delays a deletion of the directory, whose purge then sees these rows. */
const add = `
  insert into delivery_attempts (directory_id, ${columns})
  select d.id, ${Object.values(columnTypes).map((type, index) => `cast($${index + 2} as ${type})`)}
  from directories d where d.id = $1 and d.deleted <> 1 for share
  on conflict do nothing`

const some = `
  select ${columns} from delivery_attempts
  where directory_id = $1 and last_sequence >= $2 and last_sequence < cast($3 as bigint) + ${maxEventsPerAttempt}
  and first_sequence <= cast($3 as bigint) order by last_sequence, target, attempt, at limit $4`

/** Attempts to deliver events. */
export function createAttemptStore({ query, atomically }: SqlDatabase, sealing: Sealing): AttemptStore {
  return {
    async addAttempts(directoryId, attempts) {
      await atomically(
        attempts.map((attempt) => ({ text: add, values: [directoryId, ...attemptValues(attempt, sealing)] })),
      )
    },
    attemptsOf: async (directoryId, { from, to }, limit) =>
      (await query({ text: some, values: [directoryId, from, to, limit] })).map((row) => decodeAttempt(row, sealing)),
  }
}

/** Encrypts the response body. */
function attemptValues(attempt: RecordedAttempt, { seal }: Sealing): (string | number | null)[] {
  const { lastSequence, firstSequence, target, at, status, error, durationMs, responseBody: body } = attempt
  const id = body === undefined ? null : newId()
  const sealed = body === undefined || id === null ? null : seal(body, attemptLocation(id))
  return [lastSequence, firstSequence, target, attempt.attempt, at, status, error, durationMs, id, sealed]
}

function decodeAttempt(row: Row, { open }: Sealing): RecordedAttempt {
  const sealed = optionalText(row, 'response_body')
  return {
    ...(sealed === undefined ? {} : { responseBody: open(sealed, attemptLocation(text(row, 'response_id'))) }),
    firstSequence: integer(row, 'first_sequence'),
    lastSequence: integer(row, 'last_sequence'),
    target: oneOf(row, 'target', deliveryTargets),
    attempt: integer(row, 'attempt'),
    at: integer(row, 'at'),
    status: optionalInteger(row, 'status') ?? null,
    error: optionalText(row, 'error') ?? null,
    durationMs: integer(row, 'duration_ms'),
  }
}
