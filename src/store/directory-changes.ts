import type { AuditWrite } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryChanged, ReplaceDirectoryOptions } from '../directory/directory-store.ts'
import type { EventWrite } from '../directory/event.ts'
import { changedTerms, directoryTexts, termsOf } from '../directory/search-terms.ts'
import { auditStatements, entryAfter, lockAuditHead, withAuditHead } from './audit-chain.ts'
import { endedPerWrite } from './deprovisionings.ts'
import { directoryValues, inheritedColumns, inheritedValues } from './directories.ts'
import { identifyEvent } from './events.ts'
import { createHealth, removeHealth, updateHealth } from './health-checks.ts'
import { beginAdoption, passEmptyHold } from './holds.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { listNumber } from './search-terms.ts'
import type { Dialect, SqlDatabase, Statement, Transaction } from './sql-database.ts'
import { addsWork, limitSending, marksWork, sendableSequence } from './streams.ts'
import { addEvent } from './volumes.ts'
import { runStart } from './write/effects/evaluations.ts'

/** The columns that a change of a directory may set, and those that stay as they were created. */
const changing = [
  ...['name', 'directory_type', 'scim_secret', 'previous_scim_secret', 'previous_scim_secret_expires_at'],
  ...[
    'scim_auth',
    'scim_profile',
    'endpoint_url',
    'endpoint_secret',
    'previous_endpoint_secret',
    'previous_endpoint_secret_expires_at',
    'endpoint_headers',
  ],
  ...['extdir', 'can_sync', 'log_webhook_events', 'log_scim_requests', 'unique_group_names', 'deactivated'],
  ...['removal_limit', 'domains'],
] as const
const staying = ['id', 'tenant', 'product', 'created_at'] as const
const columns = [...staying, ...changing]

/** The condition that users or groups of a directory ever changed, on its row of `directory_state`. Imports discard their events. */
export const hadEvents = '(last_change_at is not null or discarded_events > 0)'

const advance = `
  update directory_state set revision = $2, ${addsWork('endpoint')}, ${addsWork('on-event')}
  where directory_id = $1 and revision = $2 - 1 and ($3 = 0 or not ${hadEvents}) returning directory_id`
const former = `
  select number, name, deactivated, case when endpoint_url is null then 0 else 1 end as has_endpoint
  from directories where id = $1`
const replace = `update directories set ${changing.map((column, index) => `${column} = $${index + 2}`).join(', ')} where id = $1`

/** Discards the held events: nobody can release them any more. */
const hideState = `
  update directory_state set revision = -1, held_from = null, sends_until = null,
    last_sequence = coalesce(held_from - 1, last_sequence),
    discarded_events = discarded_events + coalesce(last_sequence - held_from + 1, 0)
  where directory_id = $1 and revision >= 0`
const hide = `
  update directories set deleted = 1, leaving = $2, deleted_at = $3, extdir = null, can_sync = 0,
    previous_scim_secret = null, previous_scim_secret_expires_at = null
  where id = $1 and deleted <> 1 returning number, id, name, tenant, product`
/** A held event of a deleted directory, or one of an unfinished change, that has the number of a new event. The others are purged. */
const makeWay = `
  delete from events where directory_id = $1
    and sequence = (select s.last_sequence + 1 from directory_state s where s.directory_id = $1)`
const insertEvent = `
  insert into events (directory_id, sequence, id, event_type, created_at, request_id, data)
  select s.directory_id, s.last_sequence + 1, $2, $3, cast($4 as bigint), $5, $6 from directory_state s where s.directory_id = $1`
const countEvent = `update directory_state set last_sequence = last_sequence + 1, ${marksWork} where directory_id = $1`
const endHolds = 'delete from holds where directory_id = $1'
/** Nobody can resume a stream of a deleted directory. */
const unpause = `
  update delivery_streams set paused_at = null, pause_reason = null, failures = 0, failing_since = null, next_attempt_at = null
  where directory_id = $1 and paused_at is not null`
const revokeLinks = 'update setup_links set revoked_at = $2 where directory_id = $1 and revoked_at is null'

/** Starts at the events that follow, whatever the stream of a former endpoint left. */
const startDelivery = `
  insert into delivery_streams as p (directory_id, target, delivered_sequence)
  select s.directory_id, 'endpoint', ${sendableSequence} from directory_state s where s.directory_id = $1
  on conflict (directory_id, target) do update set delivered_sequence = excluded.delivered_sequence, failures = 0,
    failing_since = null, refusals = 0, batch_end = null, next_attempt_at = null, retried_at = null, paused_at = null,
    pause_reason = null, delivered_late_at = null, lease_holder = null, lease_expires_at = null,
    lease_token = p.lease_token + 1, last_error = null`

const putTerm = `
  insert into search_terms (list, row_key, term, shared) values ($1, $2, $3, $4)
  on conflict (list, term, row_key) do update set shared = excluded.shared`
const removeTerm = 'delete from search_terms where list = $1 and row_key = $2 and term = $3'

/** The changes of directories, as transactions that a further one may contain. */
export interface DirectoryChanges {
  create(
    directory: Directory,
    audit: AuditWrite | undefined,
    maxPerScope?: number,
    event?: EventWrite,
  ): Transaction<'created' | 'too-many-directories'>
  replace(
    directory: Directory,
    audit: AuditWrite | undefined,
    options?: ReplaceDirectoryOptions,
  ): Transaction<'replaced' | DirectoryChanged>
  remove(id: string, at: number, audit: AuditWrite | undefined, event?: EventWrite): Transaction<boolean>
}

export function createDirectoryChanges({ dialect }: Pick<SqlDatabase, 'dialect'>, sealing: Sealing): DirectoryChanges {
  return {
    create: createCreation(dialect, sealing),
    replace: createReplacement(dialect, sealing),
    remove: createRemoval(dialect),
  }
}

/** The statements that write an event of a directory, which is locked, if there is one. */
function eventStatements(directoryId: string, written: EventWrite | undefined): Statement[] {
  if (written === undefined) return []
  const { id, eventType, createdAt, requestId, data } = identifyEvent(written.event, written.cause)
  return [
    { text: makeWay, values: [directoryId] },
    { text: insertEvent, values: [directoryId, id, eventType, createdAt, requestId, data] },
    { text: countEvent, values: [directoryId] },
    addEvent(directoryId, createdAt),
  ]
}

function createCreation(dialect: Dialect, sealing: Sealing): DirectoryChanges['create'] {
  const { equals, isStateNumbered } = dialect
  const parameters = columns.map((_, index) => `$${index + 1}`)
  const [tenant, product] = ['$2', '$3']
  const limit = `cast($${columns.length + 1} as integer)`
  /** Returns no row when the tenant has that many directories for the product; 0 means unlimited. */
  const insert = `
    insert into directories (${columns.join(', ')}, ${inheritedColumns})
    select ${parameters.join(', ')}, ${inheritedValues(product)}
    where ${limit} = 0 or ${limit} > (
      select count(*) from (
        select 1 from directories
        where ${equals('tenant', tenant)} and ${equals('product', product)} and deleted = 0
        order by tenant, product limit ${limit}
      ) others)
    returning number`
  const insertState = isStateNumbered
    ? 'insert into directory_state (directory_id, revision, last_sequence, sends_until, number) values ($1, $2, 0, $3, $4)'
    : 'insert into directory_state (directory_id, revision, last_sequence, sends_until) values ($1, $2, 0, $3)'
  return (directory, audit, maxPerScope = 0, event) => {
    const { id, revision, endpoint } = directory
    const sendsUntil = directory.deactivated ? 0 : null
    const row = directoryValues(directory, sealing)
    const insertion = { text: insert, values: [...columns.map((column) => row[column]), maxPerScope] }
    return {
      // The end of the audit trail is locked first: of two directories of a tenant, the second sees the first.
      first: audit === undefined ? [insertion] : [lockAuditHead, insertion],
      conclude(rows) {
        const [created] = rows.at(-1) ?? []
        if (created === undefined) return { statements: [], answer: 'too-many-directories' }
        const number = integer(created, 'number')
        const statements = [
          ...(audit === undefined ? [] : entryAfter(rows[0], audit).statements),
          { text: insertState, values: [id, revision, sendsUntil, ...(isStateNumbered ? [number] : [])] },
          ...(endpoint === undefined ? [] : [{ text: startDelivery, values: [id] }]),
          ...changeTerms(dialect, number, directory),
          ...eventStatements(id, event),
          ...(directory.adoption === undefined ? [] : beginAdoption(directory, event === undefined ? 1 : 2)),
          createHealth(directory),
        ]
        return { statements, answer: 'created' }
      },
    }
  }
}

function createReplacement(dialect: Dialect, sealing: Sealing): DirectoryChanges['replace'] {
  /** Nothing sends earlier events to a first endpoint: their deprovisionings would stay open. */
  const forget = `
    delete from deprovisionings where directory_id = $1 and ${dialect.isIn(
      'sequence',
      `select sequence from deprovisionings where directory_id = $1 order by sequence limit ${endedPerWrite}`,
    )}`
  return (directory, audit, { onlyWithoutEvents = false, run, event } = {}) => {
    const { id, revision, endpoint } = directory
    const row = directoryValues(directory, sealing)
    // Every transaction locks the state of a directory before its other rows.
    const first = [
      { text: advance, values: [id, revision, Number(onlyWithoutEvents)] },
      { text: former, values: [id] },
    ]
    return {
      first: withAuditHead(first, audit),
      conclude(rows) {
        const [[advanced] = [], [before] = []] = rows
        if (advanced === undefined || before === undefined) return { statements: [], answer: 'directory-changed' }
        const isFirst = endpoint !== undefined && !boolean(before, 'has_endpoint')
        const isTurned = boolean(before, 'deactivated') !== directory.deactivated
        const statements = [
          ...(isFirst ? [startDelivery, forget].map((one) => ({ text: one, values: [id] })) : []),
          { text: replace, values: [id, ...changing.map((column) => row[column])] },
          ...changeTerms(dialect, integer(before, 'number'), directory, text(before, 'name')),
          ...(run === undefined ? [] : [runStart(id, run)]),
          ...eventStatements(id, event),
          ...(event === undefined ? [] : passEmptyHold(id)),
          ...(isTurned ? [limitSending(id, directory.deactivated)] : []),
          ...auditStatements(rows, audit),
          updateHealth(directory),
        ]
        return { statements, answer: 'replaced' }
      },
    }
  }
}

/** The links are revoked after the end of the audit trail is locked, as creating a link locks them in this order. */
function createRemoval(dialect: Dialect): DirectoryChanges['remove'] {
  return (id, at, audit, event) => ({
    first: withAuditHead(
      [
        { text: hideState, values: [id] },
        { text: hide, values: event === undefined ? [id, 0, null] : [id, 1, at] },
        ...[endHolds, unpause].map((one) => ({ text: one, values: [id] })),
      ],
      audit,
    ),
    conclude(rows) {
      const [hidden] = rows[1] ?? []
      if (hidden === undefined) return { statements: [], answer: false }
      const statements = [
        ...eventStatements(id, event),
        ...removeTerms(dialect, hidden),
        { text: revokeLinks, values: [id, at] },
        ...auditStatements(rows, audit),
        removeHealth(id),
      ]
      return { statements, answer: true }
    },
  })
}

/** The statements that write how the terms by which a directory is found differ. @param formerName undefined when it is new */
function changeTerms({ rowKey }: Dialect, number: number, directory: Directory, formerName?: string): Statement[] {
  const before = formerName === undefined ? undefined : directoryTexts({ ...directory, name: formerName })
  const { removed, written } = changedTerms(before, directoryTexts(directory))
  const key = [listNumber(directory.product, 'directory'), rowKey(number, 0)]
  return [
    ...removed.map(({ term }) => ({ text: removeTerm, values: [...key, term] })),
    ...written.map(({ term, shared }) => ({ text: putTerm, values: [...key, term, shared] })),
  ]
}

function removeTerms({ rowKey }: Dialect, row: Row): Statement[] {
  const texts = directoryTexts({ id: text(row, 'id'), name: text(row, 'name'), tenant: text(row, 'tenant') })
  const key = [listNumber(text(row, 'product'), 'directory'), rowKey(integer(row, 'number'), 0)]
  return termsOf(texts).map(({ term }) => ({ text: removeTerm, values: [...key, term] }))
}
