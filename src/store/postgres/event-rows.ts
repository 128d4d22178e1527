import type { UnnumberedEvent } from '../numbered-events.ts'
import type { ColumnType } from './parameters.ts'

/** The columns of `eventValues` as statements name them. */
export const eventColumns = 'event_id, event_type, event_at, request_id, data, changes'

/** Their types. */
export const eventTypes = ['text', 'text', 'int8', 'text', 'text', 'text'] as const satisfies readonly ColumnType[]

/** An event as its row has it. */
export function eventValues({ id, eventType, createdAt, requestId, data, changes }: UnnumberedEvent): unknown[] {
  return [id, eventType, createdAt, requestId, data, changes ?? null]
}
