import type { AuditWrite } from '../../directory/audit.ts'
import type { EventType } from '../../directory/event.ts'

/** A delivery as the log keeps it: one attempt to send one event, or one batch. */
export interface LoggedDelivery {
  /** A UUID of version 7: the order of ids is that of time. */
  readonly id: string
  readonly directoryId: string
  /** Of the event, or of the first one of a batch; so are its id and type. */
  readonly sequence: number
  readonly eventCount: number
  readonly eventId: string
  readonly eventType: EventType
  /** The endpoint's URL, without credentials, query and fragment. */
  readonly endpointUrl: string
  /** 1, 2, 3 … per event. */
  readonly attempt: number
  /** Of the answer; null when there was none. */
  readonly status: number | null
  /** In whole milliseconds. */
  readonly latencyMs: number
  /** Why the event was not taken; null when it was. */
  readonly error: string | null
  readonly isDelivered: boolean
  /** What was sent, as JSON text; null when it is longer than the log keeps. */
  readonly payload: string | null
  readonly isPayloadTruncated: boolean
  /** The beginning of the answer's body. */
  readonly responseBody: string
  /** When the attempt had ended, in Unix milliseconds. */
  readonly createdAt: number
}

/** Whose deliveries are looked at: those of one directory, or of all directories of a tenant for a product. */
export type LogScope = { readonly directoryId: string } | { readonly tenant: string; readonly product: string }

/** Before every delivery of a log, which is read from the newest to the oldest: ids are hexadecimal. */
export const logStart = 'z'

/** Behind every delivery of a log. */
export const logEnd = ''

/** A part of a log. */
export interface LogPage {
  readonly deliveries: readonly LoggedDelivery[]
  /** The id of the last delivery that was looked at, where the next part goes on; undefined at the end of the log. */
  readonly last: string | undefined
}

/** How many deliveries were passed in a log, and the last of them. */
export interface SkippedDeliveries {
  readonly skipped: number
  /** As in `LogPart`. */
  readonly last: string | undefined
}

/** What the delivery log asks of a store. A deleted directory has no log, however soon its rows go. */
export interface DeliveryLogStore {
  /** Adds deliveries of one directory. Those that are there already stay as they are. */
  addDeliveries(directoryId: string, deliveries: readonly LoggedDelivery[]): Promise<void>
  /** The deliveries older than that one, newest first: at most `limit`, fewer when their texts pass about 1 MB. */
  listDeliveries(scope: LogScope, before: string, limit: number): Promise<LogPage>
  /** Goes the same way past at most `limit` deliveries, without reading them. */
  skipDeliveries(scope: LogScope, before: string, limit: number): Promise<SkippedDeliveries>
  getDelivery(scope: LogScope, id: string): Promise<LoggedDelivery | undefined>
  /**
   * Removes at most `limit` deliveries of a directory that are not newer than that one; answers how many. An entry of the
   * audit trail is written with it when there were any: it is given with the first of several calls.
   */
  removeDeliveries(directoryId: string, newest: string, limit: number, audit?: AuditWrite): Promise<number>
  /** Removes at most `limit` deliveries that ended before a time, the oldest first; answers how many there were. */
  pruneDeliveries(before: number, limit: number): Promise<number>
}
