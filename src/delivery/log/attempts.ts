import type { BufferedWriter } from '../../concurrency/buffered-writer.ts'
import { createBufferedWriter } from '../../concurrency/buffered-writer.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { AttemptResult, Batch, Send } from '../attempt.ts'
import { lastSequenceOf } from '../attempt.ts'
import type { DeliveryTarget } from '../event-store.ts'
import type { DeliveryLogger } from '../observer.ts'
import { outcomeOf } from '../policy.ts'
import type { AttemptStore, RecordedAttempt } from './attempt-store.ts'

const writeDelayMs = 200
const queue = { maxCount: 20_000, maxCharacters: 4_000_000 }
const batch = { maxRows: 200, maxCharacters: 1_000_000 }
const maxErrorLength = 500
/** The approximate size of an attempt in memory, in characters, without its error. */
const attemptSize = 100

/** Records every attempt to deliver events, for traces. */
export interface AttemptRecorder extends Pick<BufferedWriter<RecordedAttempt>, 'flush' | 'close'> {
  /** Wraps a sender so that its attempts are recorded, without delaying delivery. */
  recording(send: Send, target: DeliveryTarget): Send
}

export interface AttemptRecorderOptions {
  readonly store: Pick<AttemptStore, 'addAttempts'>
  /** Removes passwords from a response body. */
  readonly redact: (body: string) => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** The response bodies of refused attempts are kept, and all while the directory logs its deliveries. */
export function createAttemptRecorder(options: AttemptRecorderOptions): AttemptRecorder {
  const { store, redact, clock, schedule, log } = options
  const writer = createBufferedWriter<RecordedAttempt>({
    ...{ schedule, delayMs: writeDelayMs, queue, batch },
    write: (directoryId, attempts) => store.addAttempts(directoryId, attempts),
    onError: (directoryId, err) => log.error({ directoryId, err }, 'delivery attempts could not be recorded'),
    onDropped: (dropped) =>
      log.warn({ dropped }, 'delivery attempts could not be recorded in time: they are missing from traces'),
  })
  return {
    recording: (send, target) => async (directory, events, attempt, signal) => {
      const result = await send(directory, events, attempt, signal)
      const made = recordedAttempt(events, result, { target, attempt, at: clock() })
      const isKept = made.error !== null || directory.logWebhookEvents
      const body = isKept && result.kind === 'response' ? redact(result.body) : ''
      const recorded = body === '' ? made : { ...made, responseBody: body }
      writer.add(directory.id, recorded, attemptSize + (recorded.error?.length ?? 0) + body.length)
      return result
    },
    flush: writer.flush,
    close: writer.close,
  }
}

function recordedAttempt(
  events: Batch,
  result: AttemptResult,
  made: Pick<RecordedAttempt, 'target' | 'attempt' | 'at'>,
): RecordedAttempt {
  const outcome = outcomeOf(result)
  return {
    ...made,
    firstSequence: events[0].sequence,
    lastSequence: lastSequenceOf(events),
    status: result.kind === 'response' ? result.status : null,
    error: outcome === 'delivered' ? null : outcome.reason.slice(0, maxErrorLength).toWellFormed(),
    durationMs: Math.round(result.latencyMs),
  }
}
