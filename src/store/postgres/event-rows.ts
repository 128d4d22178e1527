import type { UnnumberedEvent } from '../numbered-events.ts'
import { arrayParameters } from './parameters.ts'

/** The columns of `eventArrays` as statements name them. */
export const eventColumns = 'event_id, event_type, event_at, request_id, data, changes'

/** The parameters of `eventArrays`, from that number on. */
export function eventParameters(first: number): string {
  return arrayParameters(first, ['text', 'text', 'int8', 'text', 'text', 'text'])
}

/** Events by column, in the order of `eventColumns`. */
export function eventArrays(events: readonly UnnumberedEvent[]): unknown[][] {
  return [
    events.map(({ id }) => id),
    events.map(({ eventType }) => eventType),
    events.map(({ createdAt }) => createdAt),
    events.map(({ requestId }) => requestId),
    events.map(({ data }) => data),
    events.map(({ changes }) => changes ?? null),
  ]
}
