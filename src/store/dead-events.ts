import type {
  DeadEvent,
  DeadEventPage,
  DeadEventRow,
  DeliveryTarget,
  EventStore,
  Lease,
} from '../delivery/event-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import type { StoredEvent } from '../directory/event.ts'
import { eventTypes } from '../directory/event.ts'
import { auditStatements, withAuditHead } from './audit-chain.ts'
import { createEventQuery } from './event-accounts.ts'
import { decodeEvent, storedEventColumns } from './events.ts'
import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { addsWork } from './streams.ts'
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

/** The columns of a dead event `x`. */
const deadEventColumns = 'x.died_at, x.reason, x.skipped'

/** Decodes a row of `storedEventColumns` and `deadEventColumns`. */
function decodeDeadEvent(row: Row): DeadEvent & { readonly event: StoredEvent } {
  const event = decodeEvent(row)
  const dead = { sequence: event.sequence, diedAt: integer(row, 'died_at'), reason: text(row, 'reason') }
  return { ...dead, ...(boolean(row, 'skipped') ? { isSkipped: true } : {}), event }
}

const addReplay = `
  insert into replays (directory_id, target, sequence, requested_at)
  select e.directory_id, $2, e.sequence, cast($4 as bigint) from events e
  where e.directory_id = $1 and e.sequence = $3
    and e.sequence <= (select s.last_sequence from directory_state s where s.directory_id = $1)
  on conflict (directory_id, target, sequence) do update set requested_at = excluded.requested_at
  returning sequence`

/** The work of a replay that is requested. */
const addWork = (target: DeliveryTarget) => `
  update directory_state set ${addsWork(target)} where directory_id = $1 and exists (
    select 1 from replays where directory_id = $1 and target = $2 and sequence = $3)`

/** Dead events and requested replays of a stream. */
export function createDeadEvents(
  database: SqlDatabase,
): Pick<EventStore, 'deadEvents' | 'requestReplay' | 'requestedReplays'> {
  const { transaction, dialect } = database
  const { joinOne } = dialect
  const queryEvents = createEventQuery(database)
  const joinEvents = (table: string) => `
    from ${table} x ${joinOne('events', 'e', 'e.directory_id = x.directory_id and e.sequence = x.sequence')}
    where x.directory_id = $1 and x.target = $2 and x.sequence > $3 order by x.sequence limit $4`
  const dead = `select ${deadEventColumns}, ${storedEventColumns} ${joinEvents('dead_events')}`
  const replays = `select ${storedEventColumns} ${joinEvents('replays')}`
  return {
    async deadEvents(directoryId, target, after, limit) {
      const values = [directoryId, target, after, limit]
      return (await queryEvents({ text: dead, values }, directoryId)).map(decodeDeadEvent)
    },
    requestReplay(directoryId, target, sequence, at, audit) {
      const first = [
        { text: addReplay, values: [directoryId, target, sequence, at] },
        { text: addWork(target), values: [directoryId, target, sequence] },
      ]
      return transaction(withAuditHead(first, audit), (rows) => {
        const isAdded = rows[0]?.length === 1
        return { statements: isAdded ? auditStatements(rows, audit) : [], answer: isAdded }
      })
    },
    async requestedReplays(directoryId, target, limit) {
      const values = [directoryId, target, 0, limit]
      return (await queryEvents({ text: replays, values }, directoryId)).map(decodeEvent)
    },
  }
}

/** An event that dies again has the last reason. */
const addDead = `
  insert into dead_events (directory_id, target, sequence, died_at, reason, skipped, tenant, product)
  select d.id, $2, cast($3 as bigint), cast($4 as bigint), $5, cast($6 as integer), d.tenant, d.product
  from directories d where d.id = $1
  on conflict (directory_id, target, sequence)
    do update set died_at = excluded.died_at, reason = excluded.reason, skipped = excluded.skipped`

/** The statement that makes an event dead. */
export function addDeadEvent(
  { directoryId, target }: Pick<Lease, 'directoryId' | 'target'>,
  { sequence, diedAt, reason, isSkipped = false }: DeadEvent,
): Statement {
  return { text: addDead, values: [directoryId, target, sequence, diedAt, reason, Number(isSkipped)] }
}

/** The statement that ends a requested replay. */
export function endReplay({ directoryId, target }: Pick<Lease, 'directoryId' | 'target'>, sequence: number): Statement {
  const text = 'delete from replays where directory_id = $1 and target = $2 and sequence = $3'
  return { text, values: [directoryId, target, sequence] }
}

/** The statement after which an event is no longer dead. */
export function reviveEvent(
  { directoryId, target }: Pick<Lease, 'directoryId' | 'target'>,
  sequence: number,
): Statement {
  const text = 'delete from dead_events where directory_id = $1 and target = $2 and sequence = $3'
  return { text, values: [directoryId, target, sequence] }
}

/** The dead events of endpoints over many directories. */
export function createDeadEventList({
  query,
  dialect: { indexedBy, joinOne },
}: SqlDatabase): Pick<EventStore, 'deadEventsIn'> {
  const list = ({ index, condition }: (typeof scopes)[keyof typeof scopes]) => `
    select dead.died_at, dead.reason, dead.skipped, dead.sequence, d.id as directory_id, d.name, d.tenant, d.product, d.deleted,
      e.id, e.event_type, e.created_at, e.request_id, ${resourceOfEvent('e')} as resource_id
    from (
      select * from dead_events x ${indexedBy(index)}
      where x.target = 'endpoint' and ${condition} and (x.died_at, x.directory_id, x.sequence) < ($1, $2, $3)
      order by x.died_at desc, x.directory_id desc, x.sequence desc limit $4) dead
    ${joinOne('directories', 'd', 'd.id = dead.directory_id')}
    ${joinOne('events', 'e', 'e.directory_id = dead.directory_id and e.sequence = dead.sequence')}
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
  const isOfDirectory = /^(sync|directory)\./.test(eventType)
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
      resource: isOfDirectory || id === undefined ? null : { type, id },
    },
    diedAt: integer(row, 'died_at'),
    reason: text(row, 'reason'),
    isSkipped: boolean(row, 'skipped'),
  }
}
