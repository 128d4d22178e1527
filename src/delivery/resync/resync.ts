/** What a resync tells of, one after the other; `completed` is behind all. */
export const resyncPhases = ['users', 'groups', 'members', 'completed'] as const

export type ResyncPhase = (typeof resyncPhases)[number]

/** How many of each were told. */
export interface ResyncCounts {
  readonly users: number
  readonly groups: number
  readonly members: number
}

/** The last row that a phase has looked at: users and groups go by their sequence number, members by their ids. */
export interface ResyncPosition {
  readonly sequence: number
  readonly groupId: string
  readonly memberId: string
}

/** Before the first row of a phase. */
export const phaseStart: ResyncPosition = { sequence: 0, groupId: '', memberId: '' }

/** One telling of all that a directory holds. Times are Unix milliseconds. */
export interface Resync {
  readonly directoryId: string
  readonly syncId: string
  /** The request that asked for it: its events are caused by that. */
  readonly requestId: string
  /** The sequence number of `sync.started`. What was made behind it is told by the events of its own making. */
  readonly startedSequence: number
  /** Counts the steps that were committed: two processes that try the same step do it once. */
  readonly step: number
  readonly phase: ResyncPhase
  readonly position: ResyncPosition
  readonly sent: ResyncCounts
  readonly startedAt: number
  readonly completedAt: number | undefined
}

/** What a resync begins with. */
export type ResyncRequest = Pick<Resync, 'directoryId' | 'syncId' | 'requestId' | 'startedAt'>
