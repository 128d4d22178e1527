import { deliveryTargets } from '../delivery/event-store.ts'
import type { AttemptStore, RecordedAttempt } from '../delivery/log/attempt-store.ts'
import { newId } from '../ids/new-id.ts'
import { fields, recordOf } from './record.ts'
import type { Row } from './row.ts'
import type { Sealing } from './sealing.ts'
import { attemptLocation } from './sealing.ts'
import type { SqlDatabase } from './sql-database.ts'

/** An attempt with the encrypted body of its response, and the id that binds that to the row. */
interface SealedAttempt extends Omit<RecordedAttempt, 'responseBody'> {
  readonly responseId: string | undefined
  readonly responseBody: string | undefined
}

/** The columns of an attempt without its directory. */
const stored = recordOf<SealedAttempt>({
  lastSequence: fields.integer,
  firstSequence: fields.integer,
  target: fields.oneOf(deliveryTargets),
  attempt: fields.integer,
  at: fields.integer,
  status: fields.nullableInteger,
  error: fields.nullableText,
  durationMs: fields.integer,
  responseId: fields.optionalText,
  responseBody: fields.optionalText,
})

/** The most events in a batch: an attempt that includes an event ends less than this number of events after it. */
const maxEventsPerAttempt = 1_000

/** The lock delays a deletion of the directory, whose purge then sees these rows. */
const add = `
  insert into delivery_attempts (directory_id, ${stored.columns})
  select d.id, ${stored.casts(2)}
  from directories d where d.id = $1 and d.deleted <> 1 for share
  on conflict do nothing`

const some = `
  select ${stored.columns} from delivery_attempts
  where directory_id = $1 and last_sequence >= $2 and last_sequence < cast($3 as bigint) + ${maxEventsPerAttempt}
  and first_sequence <= cast($3 as bigint) order by last_sequence, target, attempt, at limit $4`

/** Attempts to deliver events. */
export function createAttemptStore({ query, atomically }: SqlDatabase, sealing: Sealing): AttemptStore {
  return {
    async addAttempts(directoryId, attempts) {
      await atomically(
        attempts.map((attempt) => ({
          text: add,
          values: [directoryId, ...stored.values(sealedAttempt(attempt, sealing))],
        })),
      )
    },
    attemptsOf: async (directoryId, { from, to }, limit) =>
      (await query({ text: some, values: [directoryId, from, to, limit] })).map((row) => decodeAttempt(row, sealing)),
  }
}

/** Encrypts the response body. */
function sealedAttempt(attempt: RecordedAttempt, { seal }: Sealing): SealedAttempt {
  const { responseBody } = attempt
  if (responseBody === undefined) return { ...attempt, responseId: undefined, responseBody }
  const responseId = newId()
  return { ...attempt, responseId, responseBody: seal(responseBody, attemptLocation(responseId)) }
}

function decodeAttempt(row: Row, { open }: Sealing): RecordedAttempt {
  const { responseId = '', responseBody, ...attempt } = stored.decode(row)
  return responseBody === undefined
    ? attempt
    : { ...attempt, responseBody: open(responseBody, attemptLocation(responseId)) }
}
