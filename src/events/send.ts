import type { Directory } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'
import type { Delivery } from './delivery.ts'

/** Makes one attempt to send one event. When `signal` aborts, it comes back soon: the service stops. */
export type Send = (directory: Directory, event: StoredEvent, signal: AbortSignal) => Promise<Delivery>
