import type { DeadEventPage, DeadEventRow, EventStore } from '../delivery/event-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { eventTypes } from '../directory/event.ts'
import type { IsEventAt } from './feed.ts'
import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalText, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'
import { resourceOfEvent } from './trace.ts'

/** The dead events of each kind of scope: their index, and their condition. */
const scopes = {
  all: { index: 'dead_events_by_age', condition: 'x.died_at >= 0' },
  directory: { index: 'dead_events_by_directory', condition: 'x.directory_id = $5' },
  tenant: { index: 'dead_events_by_tenant', condition: "x.tenant = $5 and x.tenant >= ''" },
  product: { index: 'dead_events_by_product', condition: "x.product = $5 and x.product >= ''" },
  both: { index: 'dead_events_by_scope', condition: 'x.tenant = $5 and x.product = $6' },
} as const

const newest = { diedAt: Number.MAX_SAFE_INTEGER, directoryId: '', sequence: 0 }

/** The dead events of endpoints over many directories. */
export function createDeadEventList(
  { query, dialect: { indexedBy, joinOne } }: SqlDatabase,
  isEventAt: IsEventAt,
): Pick<EventStore, 'deadEventsIn'> {
  const list = ({ index, condition }: (typeof scopes)[keyof typeof scopes]) => `
    select dead.died_at, dead.reason, dead.skipped, dead.sequence, d.id as directory_id, d.name, d.tenant, d.product, d.deleted,
      e.id, e.event_type, e.created_at, e.request_id, ${resourceOfEvent('e')} as resource_id
    from (
      select * from dead_events x ${indexedBy(index)}
      where x.target = 'endpoint' and ${condition} and (x.died_at, x.directory_id, x.sequence) < ($1, $2, $3)
      order by x.died_at desc, x.directory_id desc, x.sequence desc limit $4) dead
    ${joinOne('directories', 'd', 'd.id = dead.directory_id')}
    ${joinOne('directory_state', 's', 's.directory_id = dead.directory_id')}
    ${joinOne('events', 'e', isEventAt('dead.sequence'))}
    order by dead.died_at desc, dead.directory_id desc, dead.sequence desc`
  const lists = {
    all: list(scopes.all),
    directory: list(scopes.directory),
    tenant: list(scopes.tenant),
    product: list(scopes.product),
    both: list(scopes.both),
  }
  return {
    async deadEventsIn(scope, { diedAt, directoryId, sequence } = newest, limit) {
      const { kind, values } = scopeValues(scope)
      const page = [diedAt, directoryId, sequence, limit]
      return decodePage(await query({ text: lists[kind], values: [...page, ...values] }), limit)
    },
  }
}

/** The kind of a scope, and the last parameters of its statement. A directory is in one tenant and product. */
function scopeValues({ directoryId, tenant, product }: DirectoryScope) {
  if (directoryId !== undefined) return { kind: 'directory', values: [directoryId] } as const
  if (tenant === undefined) {
    return product === undefined
      ? ({ kind: 'all', values: [] } as const)
      : ({ kind: 'product', values: [product] } as const)
  }
  if (product === undefined) return { kind: 'tenant', values: [tenant] } as const
  return { kind: 'both', values: [tenant, product] } as const
}

/** Those of deleted directories are read, and then left out. */
function decodePage(found: readonly Row[], limit: number): DeadEventPage {
  const last = found.length < limit ? undefined : found.at(-1)
  return {
    rows: found.filter((row) => !boolean(row, 'deleted')).map(decodeRow),
    last: last && {
      diedAt: integer(last, 'died_at'),
      directoryId: text(last, 'directory_id'),
      sequence: integer(last, 'sequence'),
    },
  }
}

function decodeRow(row: Row): DeadEventRow {
  const eventType = oneOf(row, 'event_type', eventTypes)
  const id = optionalText(row, 'resource_id')
  const type = eventType.startsWith('group.') && !eventType.startsWith('group.user_') ? 'Group' : 'User'
  const isResync = eventType.startsWith('sync.')
  return {
    directory: {
      id: text(row, 'directory_id'),
      name: text(row, 'name'),
      tenant: text(row, 'tenant'),
      product: text(row, 'product'),
    },
    event: {
      ...{ id: text(row, 'id'), sequence: integer(row, 'sequence'), eventType, createdAt: integer(row, 'created_at') },
      requestId: text(row, 'request_id'),
      resource: isResync || id === undefined ? null : { type, id },
    },
    diedAt: integer(row, 'died_at'),
    reason: text(row, 'reason'),
    isSkipped: boolean(row, 'skipped'),
  }
}
