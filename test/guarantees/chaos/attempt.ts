/** One request that reached the endpoint. Times are those of `now`. */
export interface Attempt {
  /** The process that sent it. */
  readonly process: string
  readonly directoryId: string
  readonly sequence: number
  readonly eventId: string
  /** When the event was made. */
  readonly createdAt: number
  /** What the event tells, to be found again: see `facts.ts`. */
  readonly fact: string
  readonly arrivedAt: number
  /** When it was answered, or given up by its sender; infinite until then. */
  endedAt: number
  /** Whether it was answered with 2xx. */
  isTaken: boolean
}
