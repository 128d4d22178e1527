import type { StoredEvent } from '../../directory/event.ts'

/** Where the next part of the events of a request begins: after an event. */
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

/** How events are found by what caused them and by what they are about. Deleted directories have none. */
export interface TraceStore {
  /**
   * The events of a request, and of the operations of a bulk request, in the order of operation and sequence: at most
   * `limit`, fewer when their data exceeds about 1 MB.
   */
  eventsOfRequest(requestId: string, after: TracePosition, limit: number): Promise<readonly TracedEvent[]>
  /** The directory of a sync run, which may have made no event. */
  directoryOfRun(runId: string): Promise<string | undefined>
  /** The events about a user or group, those of its memberships included, newest first, before a sequence number. */
  eventsOfResource(
    directoryId: string,
    resourceId: string,
    before: number,
    limit: number,
  ): Promise<readonly StoredEvent[]>
}
