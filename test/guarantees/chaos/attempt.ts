/** One request that reached the endpoint. Times are those of `now`. */
export interface Attempt {
  /** The process that sent it. */
  readonly process: string
  readonly directoryId: string
  readonly sequence: number
  readonly eventId: string
  /** Time at which the event was created. */
  readonly createdAt: number
  /** The change that the event reports: see `changes.ts`. */
  readonly change: string
  readonly arrivedAt: number
  /** Time at which it got a response or was aborted by its sender; infinite until then. */
  endedAt: number
  /** Whether the response was a 2xx. */
  isAccepted: boolean
}
