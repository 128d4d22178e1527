import { createBufferedWriter } from '../../concurrency/buffered-writer.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { Exchange } from './exchange.ts'
import { requestRecord } from './record.ts'
import type { RequestLogStore, RequestRecord } from './request-log-store.ts'
import { isNameless, withNames } from './request-log-store.ts'

/** Time for which a request waits to be written, in milliseconds; a crash loses that much of the log. */
const writeDelayMs = 500
const queue = { maxCount: 10_000, maxCharacters: 8_000_000 }
const batch = { maxRows: 1_000, maxCharacters: 500_000 }

export interface RequestRecorder {
  /** Adds a request to the log. Returns immediately and never throws: the log must not delay a response. */
  record(exchange: Exchange): void
  /** Writes the buffered requests now. Resolves after the attempt to write, and never rejects. */
  flush(): Promise<void>
  /** Flushes for the last time: later requests are not recorded. */
  close(): Promise<void>
}

export interface RequestRecorderOptions {
  readonly store: Pick<RequestLogStore, 'addRequests'>
  /** The number of requests that are kept per directory. */
  readonly keep: number
  readonly schedule: Schedule
  readonly log: { error(details: object, message: string): void; warn(details: object, message: string): void }
  /** Called with the number of requests that could not be logged. */
  readonly onDropped: (count: number) => void
}

/** Creates a recorder that buffers requests for half a second and writes them in batches, in bounded memory. */
export function createRequestRecorder(options: RequestRecorderOptions): RequestRecorder {
  const { store, keep, schedule, log, onDropped } = options
  const writer = createBufferedWriter<RequestRecord>({
    ...{ schedule, delayMs: writeDelayMs, queue, batch },
    write: (directoryId, requests) => store.addRequests(directoryId, withSubjects(requests), keep),
    onError: (directoryId, err) => log.error({ directoryId, err }, 'the request log could not be written'),
    onDropped(dropped) {
      onDropped(dropped)
      log.warn({ dropped }, 'the request log could not be written in time: requests are missing from it')
    },
  })
  return {
    record(exchange) {
      try {
        const record = requestRecord(exchange)
        writer.add(exchange.directory.id, record, sizeOf(record))
      } catch (error) {
        log.error({ directoryId: exchange.directory.id, err: error }, 'a request could not be recorded')
      }
    },
    flush: writer.flush,
    close: writer.close,
  }
}

/** The approximate size of a record in memory, in characters. */
function sizeOf({ body, path, detail }: RequestRecord): number {
  return 300 + path.length + (detail?.length ?? 0) + (body?.length ?? 0)
}

/** Completes subjects within a batch: a resource may be deleted before the store can look up its name. */
function withSubjects(requests: readonly RequestRecord[]): readonly RequestRecord[] {
  if (!requests.some(isNameless)) return requests
  const names = new Map(
    requests.flatMap(({ subject, resourceId }) => (subject === null ? [] : [[resourceId, subject]])),
  )
  return withNames(requests, (_type, id) => names.get(id))
}
