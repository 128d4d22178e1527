import type { Directory } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { AttemptResult } from './policy.ts'

/** What is sent in one attempt: one event, or in batch mode several that follow each other. */
export type Batch = readonly [StoredEvent, ...StoredEvent[]]

/** Makes one attempt to send a parcel. When `signal` aborts, it comes back soon: the service stops. */
export type Send = (directory: Directory, parcel: Batch, attempt: number, signal: AbortSignal) => Promise<AttemptResult>
