import type { Schedule } from '../concurrency/schedule.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { OperatorNotices } from '../directory/operator-notice.ts'
import type { Send } from './attempt.ts'
import type { DeliveryTarget, EventStore } from './event-store.ts'
import type { Leases } from './lease.ts'
import type { DeliveryLogger, DeliveryObserver } from './observer.ts'
import type { StreamRecord } from './progress.ts'
import type { Recipient } from './recipient.ts'
import type { TurnResult } from './run-queue.ts'

export type StreamStore = EventStore & Pick<DirectoryRecords, 'getDirectory'>

/** The parts that the streams of a scheduler share. */
export interface StreamContext {
  readonly store: StreamStore
  readonly target: DeliveryTarget
  readonly leases: Leases
  readonly send: Send
  /** The number of events sent together. */
  readonly batchSize: number
  /** Whether a stream keeps its lease for a while after its last event, because more events are likely. */
  readonly keepsLeases: boolean
  readonly clock: () => number
  readonly random: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly observer: DeliveryObserver
  readonly notices: OperatorNotices
  /** Aborts attempts in flight at the end of a shutdown. */
  readonly signal: AbortSignal
  readonly isClosing: () => boolean
  /** Returns whether a turn that has sent this many events since `startedAt` must make way for waiting directories. */
  readonly isTurnOver: (sent: number, startedAt: number) => boolean
}

/** The parts of one stream. */
export interface StreamParts {
  readonly context: StreamContext
  readonly directoryId: string
  readonly recipient: Recipient
  readonly record: StreamRecord
}

export interface Turn {
  readonly startedAt: number
  /** The number of events sent. */
  sent: number
}

/** The continuation after a step within a turn: the next step, or the end of the turn. */
export type Step = TurnResult | 'continue'
