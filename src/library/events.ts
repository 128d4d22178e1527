import type { RollcallError } from '../client/error.ts'
import type { ProcessReport } from '../delivery/batch-runs.ts'
import type { ReplayInput } from '../delivery/control.ts'
import type { FeedAnswer } from '../delivery/feed/feed.ts'
import type { DeliveryView } from '../delivery/log/entry.ts'
import { eventObject } from '../delivery/payload.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { RollcallEvent } from '../webhooks/event.ts'
import type { LibraryParts, ListQuery, OneDirectory, OneQuery, ScopeQuery } from './parts.ts'
import { caller } from './parts.ts'
import { listResult, objectResult, resultOf } from './result.ts'

/** The start and the length of a page of the feed, in the API's field names. */
export type FeedQuery = ScopeQuery & {
  /**
   * The `next` of the previous result or, with `directoryId`, the last event that you have, as `sequence:id`; the
   * sequence alone is not compared with the stored events. Default: the first stored event.
   */
  readonly after?: string | number
  /** 1 to 1000. Default: 100. */
  readonly limit?: number
}

/** Events of a feed; `next` is the cursor for the next call, even without new events. */
export type FeedResult =
  | {
      readonly data: RollcallEvent[]
      readonly next: string
      /** A directory whose further events are held, if any. */
      readonly held?: FeedAnswer['held']
      readonly error: null
    }
  | { readonly data: null; readonly error: RollcallError }

/** Reads events and controls their delivery. */
export function eventCalls(parts: LibraryParts) {
  return { ...deliveryCalls(parts), ...deliveryLogCalls(parts), feed: (query: FeedQuery) => readFeed(parts, query) }
}

function deliveryCalls({ delivery, processEvents }: LibraryParts) {
  return {
    /** Delivers the events that are due. */
    process: () => resultOf(async () => requireReport(await processEvents())),
    /** The state of the delivery to a directory's endpoint. */
    status: ({ directoryId }: OneDirectory) => resultOf(() => delivery.status(directoryId)),
    pause: ({ directoryId }: OneDirectory) => resultOf(() => delivery.pause(directoryId, caller)),
    resume: ({ directoryId }: OneDirectory) => resultOf(() => delivery.resume(directoryId, caller)),
    /** Delivers one event again (`sequence`), or all events from a sequence (`from_sequence`) or a time (`since`). */
    replay: ({ directoryId, ...input }: OneDirectory & ReplayInput) =>
      resultOf(() => delivery.replay(directoryId, input, caller)),
    /** Sets aside the event that blocks delivery, with a reason for the audit trail. */
    skip: ({ directoryId, sequence, reason }: OneDirectory & { readonly sequence: number; readonly reason: string }) =>
      resultOf(() => delivery.skip(directoryId, sequence, { reason }, caller)),
    /** The dead events after a sequence: those that the endpoint refused too often, and those that were skipped. */
    dead: ({ directoryId, ...query }: OneDirectory & { readonly after?: number; readonly limit?: number }) =>
      resultOf(async () => (await delivery.deadEvents(directoryId, query)).rows),
    /** Sends a test event to the endpoint. */
    test: ({ directoryId }: OneDirectory) => resultOf(() => delivery.sendTest(directoryId)),
  }
}

/** The log of deliveries, for directories that have `log_webhook_events` on. */
function deliveryLogCalls({ deliveryLog }: LibraryParts) {
  return {
    /** The deliveries, newest first. */
    list: (query: ListQuery) => listResult<DeliveryView>(() => deliveryLog.list(query)),
    get: ({ id, ...scope }: OneQuery) => objectResult<DeliveryView>(() => deliveryLog.get(id, scope)),
    /** Deletes all deliveries of a directory from the log. */
    delete: (query: OneDirectory) =>
      resultOf(async () => {
        await deliveryLog.delete(query, caller)
        return {}
      }),
  }
}

async function readFeed({ feed }: LibraryParts, query: FeedQuery): Promise<FeedResult> {
  const result = await resultOf(() => feed.page(query))
  if (result.error !== null) return result
  const { events, next, held } = result.data
  const data = events.map(({ event, directory }) => eventObject(event, directory))
  return { data, next, ...(held === undefined ? {} : { held }), error: null }
}

/** @throws DirectoryError `already-running` */
function requireReport(report: ProcessReport | undefined): ProcessReport {
  if (report !== undefined) return report
  throw new DirectoryError('already-running', 'Events are already being processed: nothing was done.')
}
