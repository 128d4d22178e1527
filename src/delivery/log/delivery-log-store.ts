import type { AuditWrite } from '../../directory/audit.ts'
import type { EventType } from '../../directory/event.ts'

/** An entry of the delivery log: one attempt to send one event or one batch. */
export interface LoggedDelivery {
  /** A UUID of version 7, so that ids sort by time. */
  readonly id: string
  readonly directoryId: string
  /** Sequence, id and type are those of the event, or of the first event of a batch. */
  readonly sequence: number
  readonly eventCount: number
  readonly eventId: string
  readonly eventType: EventType
  /** The request, or sync run, that caused the event, or the first event of a batch. */
  readonly requestId: string
  /** The URL without credentials, query and fragment. */
  readonly endpointUrl: string
  /** 1, 2, 3 … per event. */
  readonly attempt: number
  /** Null when there was no response. */
  readonly status: number | null
  /** Rounded to whole milliseconds. */
  readonly latencyMs: number
  /** Null when the event was delivered. */
  readonly error: string | null
  readonly isDelivered: boolean
  /** The body of the request as JSON text; null when it was too large to store. */
  readonly payload: string | null
  readonly isPayloadTruncated: boolean
  /** The beginning of the response body. */
  readonly responseBody: string
  /** End of the attempt, in Unix milliseconds. */
  readonly createdAt: number
}

/** A logged delivery with the tenant of its directory. */
export interface TenantDelivery extends LoggedDelivery {
  readonly tenant: string
}

/** One directory, or all directories of a product, of one tenant if it is named. */
export type LogScope =
  | { readonly directoryId: string }
  | { readonly tenant?: string | undefined; readonly product: string }

/**
 * The position before the newest delivery: a log is read from the newest to the oldest. Greater than every
 * (hexadecimal) id.
 */
export const logStart = 'z'

/** The position after the oldest delivery. */
export const logEnd = ''

export interface LogPage {
  readonly deliveries: readonly TenantDelivery[]
  /** The id of the last delivery examined, where the next page continues; undefined at the end of the log. */
  readonly last: string | undefined
}

export interface SkippedDeliveries {
  readonly skipped: number
  /** See `LogPage`. */
  readonly last: string | undefined
}

/** The storage of the delivery log. A deleted directory has no log, even before its rows are removed. */
export interface DeliveryLogStore {
  /** Adds deliveries of one directory. Existing ones are left unchanged. */
  addDeliveries(directoryId: string, deliveries: readonly LoggedDelivery[]): Promise<void>
  /** The deliveries older than `before`, newest first: at most `limit`, fewer when their texts exceed about 1 MB. */
  listDeliveries(scope: LogScope, before: string, limit: number): Promise<LogPage>
  /** Skips at most `limit` deliveries without reading them. */
  skipDeliveries(scope: LogScope, before: string, limit: number): Promise<SkippedDeliveries>
  getDelivery(scope: LogScope, id: string): Promise<TenantDelivery | undefined>
  /**
   * Removes at most `limit` deliveries of a directory up to the one named `newest`. Returns the number. The audit entry
   * is written if any were removed; pass it with the first of several calls only.
   */
  removeDeliveries(directoryId: string, newest: string, limit: number, audit?: AuditWrite): Promise<number>
  /** Removes at most `limit` deliveries that ended before a time, oldest first. Returns the number. */
  pruneDeliveries(before: number, limit: number): Promise<number>
}
