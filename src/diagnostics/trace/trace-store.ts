import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import type { StoredEvent } from '../../directory/event.ts'

/** The start of the next part of a request's events: after an event. */
export interface TracePosition {
  readonly requestId: string
  readonly sequence: number
}

export const traceStart: TracePosition = { requestId: '', sequence: 0 }

/** An event with its directory. */
export interface TracedEvent {
  readonly directoryId: string
  readonly event: StoredEvent
}

/** Finds events by their cause and by their subject. Deleted directories have none. */
export interface TraceStore extends Pick<FeedStore, 'eventsOfResource'> {
  /**
   * The events of a request, and of the operations of a bulk request, ordered by operation and sequence: at most
   * `limit`, fewer when their data exceeds about 1 MB.
   */
  eventsOfRequest(requestId: string, after: TracePosition, limit: number): Promise<readonly TracedEvent[]>
  /** The directory of a sync run, even if the run made no event. */
  directoryOfRun(runId: string): Promise<string | undefined>
  /** The directory of the events about a user or group; undefined without any. */
  directoryOfResource(resourceId: string): Promise<string | undefined>
}
