import type { Palette } from '../../src/cli/terminal/palette.ts'
import { countOf, formatMs, formatRate } from '../../src/cli/terminal/quantity.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { EventRecord, ReceivedEvent } from './event-record.ts'
import { fullName, textOf } from './product-view.ts'
import type { Receiver } from './receiver.ts'

const shownEvents = 6

const columns: readonly Column[] = [
  { title: 'tenant' },
  { title: 'sequence', align: 'right' },
  { title: 'event' },
  { title: 'user or group', maxWidth: 56 },
  { title: 'latency', align: 'right' },
]

/** The events that the receiver has recorded for a tenant. */
export interface TenantEvents {
  readonly tenant: string
  readonly record: EventRecord
}

/** The last events of each tenant, oldest first. */
export function lastEventsTable(tenants: readonly TenantEvents[], palette: Palette): string {
  const rows = tenants.flatMap(({ tenant, record }) =>
    record.recent.slice(-shownEvents).map((event) => eventRow(tenant, event)),
  )
  return renderTable(columns, rows, palette)
}

/** One line per tenant: the number of events, their order and their latency. */
export function deliveryText(tenants: readonly TenantEvents[]): string {
  return tenants.map(({ tenant, record }) => `  ${tenant}: ${describeRecord(record)}\n`).join('')
}

/** `96 signatures verified, 0 invalid` */
export function signatureText({ verified, invalid }: Receiver['signatures']): string {
  return `${countOf(verified, 'signature')} verified, ${invalid} invalid`
}

function describeRecord(record: EventRecord): string {
  const order = record.inversions === 0 ? 'in order' : `${record.inversions} out of order`
  const missing = record.missing === 0 ? 'none missing' : `${record.missing} missing`
  const duplicated = record.duplicates === 0 ? '' : `, ${record.duplicates} duplicated`
  const latencies = record.recent.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
  const median = latencies[Math.floor(latencies.length / 2)] ?? 0
  return `${countOf(record.count, 'event')} ${order}, ${missing}${duplicated}; ${rateText(record)}median latency ${formatMs(median)}`
}

function rateText({ count, firstAt, lastAt }: EventRecord): string {
  if (firstAt === undefined || lastAt === undefined || lastAt === firstAt) return ''
  return `${formatRate(count / ((lastAt - firstAt) / 1000))} events/s; `
}

function eventRow(tenant: string, { sequence, type, data, latencyMs }: ReceivedEvent): string[] {
  return [tenant, String(sequence), type, subjectOf(type, data), formatMs(latencyMs)]
}

/**
 * The user, group or directory of an event: `Maya Lindqvist`, `Field Ops`, or `Maya Lindqvist: Field Ops` for a member. Most
 * providers deactivate users instead of deleting them: `Maya Lindqvist (deactivated)`.
 */
export function subjectOf(type: string, data: JsonObject): string {
  const group = own(data, 'group')
  if (isObject(group)) return `${fullName(data)}: ${textOf(group, 'name')}`
  if (type === 'user.updated' && own(data, 'active') === false) return `${fullName(data)} (deactivated)`
  return /^(group|directory)\./.test(type) ? textOf(data, 'name') : fullName(data)
}
