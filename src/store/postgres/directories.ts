import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryListPart } from '../../directory/directory-store.ts'
import { directoryTexts, termsOf } from '../../directory/search-terms.ts'
import { auditStatements, withAuditHead, writeAudited, writeAuditedInTurn } from '../audit-chain.ts'
import { endedPerWrite } from '../deprovisionings.ts'
import type { ChangeRecord, DirectoryTable } from '../directories.ts'
import {
  decodeDirectory,
  decodeListedDirectory,
  directoryColumns,
  directoryValues,
  hadEvents,
  inheritedMapping,
  storedScimAuth,
} from '../directories.ts'
import { createHealth, removeHealth, updateHealth } from '../health-checks.ts'
import type { CountedState } from '../removals.ts'
import { decodeCountedState } from '../removals.ts'
import type { Row } from '../row.ts'
import { boolean, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { listNumber, sequenceBits } from '../search-terms.ts'
import { addsWork, sendableSequence } from '../streams.ts'
import type { LockedDirectory } from '../write/batch.ts'
import type { Database, Statement } from './database.ts'
import { databaseWithin } from './database.ts'
import type { Reader } from './reader.ts'
import { createReader, withoutNulIds } from './reader.ts'
import { isOfDirectory, overTerms, rowKeyOf } from './search.ts'
import { inScope, joinOne, ofDirectory } from './sql.ts'

/** Joins the state of the directory `d`. */
const withState = joinOne('directory_state', 's', 's.directory_id = d.id')

const had = `select (${hadEvents})::int4 as had_events from directory_state where directory_id = $1`

const byId = `select ${directoryColumns} from directories d ${withState} where d.id = $1 and d.deleted <> 1`

/** Writes the terms of a directory, in three parameters from `first` on; `source` has its number. */
const termsFrom = (source: string, first: number) => `
    insert into search_terms (list, row_key, term, shared)
    select $${first}::int8, d.number << ${sequenceBits}, t.*
    from ${source} d cross join unnest((select $${first + 1}::text[]), (select $${first + 2}::int4[])) as t
    ${overTerms}`

/** The range and the order leave the primary key to choose: others look as good while few directories have been analyzed. */
const byIds = `
  select ${directoryColumns} from unnest((select $1::text[])) as i (id)
  cross join lateral (
    select * from directories where id between i.id and i.id and deleted <> 1 order by id limit 1
  ) d
  ${withState}`

/** Returns no row when the tenant has `$21` directories for the product; 0 means unlimited. */
const insert = `
  with permitted as (
    select 1 where $21::integer = 0 or $21::integer > (
      select count(*) from (
        select 1 from directories where ${inScope('$17', '$18')} order by tenant, product limit $21::integer
      ) others
    )
  ),
  record as (
    insert into directories (id, name, tenant, product, directory_type, scim_secret, previous_scim_secret,
      previous_scim_secret_expires_at, endpoint_url, endpoint_secret, extdir, log_webhook_events, deactivated,
      previous_endpoint_secret, previous_endpoint_secret_expires_at, can_sync, removal_limit, log_scim_requests,
      created_at, unique_group_names, scim_auth, mapping)
    select $1, $3, $17, $18, $19, $4, $5, $6, $7::text, $8, $9, $10, $11, $12, $13, $14, $15, $16, $20, $22, $23,
      ${inheritedMapping('$18')}
    from permitted
    returning number
  ),
  position as (
    insert into delivery_streams (directory_id, target, delivered_sequence)
    select $1, 'endpoint', 0 from permitted where $7::text is not null
  ),
  terms as (${termsFrom('record', 24)}
  )
  insert into directory_state (directory_id, revision, last_sequence)
  select $1, $2, 0 from permitted returning directory_id`

/**
 * Locks the row of the state first, as every statement that writes to the directory does. Nothing sends earlier events to a
 * first endpoint: their deprovisionings would stay open.
 */
const replace = `
  with advanced as (
    update directory_state set revision = $2, ${addsWork('endpoint')}, ${addsWork('on-event')}
    where directory_id = $1 and revision = $2 - 1 and ($18::boolean or not (${hadEvents}))
    returning directory_id, last_sequence, held_from
  ),
  position as (
    insert into delivery_streams as p (directory_id, target, delivered_sequence)
    select s.directory_id, 'endpoint', ${sendableSequence}
    from advanced s ${joinOne('directories', 'd', 'd.id = s.directory_id')}
    where d.endpoint_url is null and $7::text is not null
    on conflict (directory_id, target) do update set delivered_sequence = excluded.delivered_sequence, failures = 0,
      failing_since = null, refusals = 0, batch_end = null, next_attempt_at = null, paused_at = null, pause_reason = null,
      lease_holder = null, lease_expires_at = null, lease_token = p.lease_token + 1, last_error = null
    returning p.directory_id
  ),
  forgotten as (
    delete from deprovisionings x where exists (select from position) and ${ofDirectory('x')} and x.ctid = any(array(
      select ctid from deprovisionings where directory_id = $1 order by sequence limit ${endedPerWrite}))
  ),
  present as (
    select d.number from advanced a ${joinOne('directories', 'd', 'd.id = a.directory_id')}
  ),
  former_terms as (
    delete from search_terms t
    where t.row_key = ((select number from present) << ${sequenceBits}) and t.${isOfDirectory}
      and t.term <> all((select $22::text[])::text[])
  ),
  terms as (${termsFrom('present', 21)}
  )
  update directories d set name = $3, directory_type = $17, scim_secret = $4, previous_scim_secret = $5,
    previous_scim_secret_expires_at = $6, endpoint_url = $7::text, endpoint_secret = $8, extdir = $9,
    log_webhook_events = $10, deactivated = $11, previous_endpoint_secret = $12,
    previous_endpoint_secret_expires_at = $13, can_sync = $14, removal_limit = $15, log_scim_requests = $16,
    unique_group_names = $19, scim_auth = $20
  where d.id = $1 and exists (select from advanced)
  returning d.id`

const hide = `
  with hidden as (
    update directory_state set revision = -1 where directory_id = $1 returning directory_id
  )
  update directories d set deleted = 1 where d.id = $1 and d.deleted <> 1 and exists (select from hidden)
  returning d.id`

const revokeLinks = 'update setup_links set revoked_at = $2 where directory_id = $1 and revoked_at is null'

const removeTerms = `delete from search_terms where row_key = ${rowKeyOf('0')} and ${isOfDirectory}`

/** Directories on PostgreSQL. */
export function postgresDirectories(database: Database, { rows, row }: Reader, sealing: Sealing): DirectoryTable {
  const decode = (found: Row) => decodeDirectory(found, sealing)
  return {
    async createDirectory(directory, audit, maxPerScope = 0) {
      const { tenant, product, directoryType, createdAt } = directory
      const fixed = [tenant, product, directoryType, createdAt]
      const others = [maxPerScope, Number(directory.uniqueGroupNames), storedScimAuth(directory)]
      const values = [...changingValues(directory, sealing), ...fixed, ...others, ...termColumns(directory)]
      const created = await writeAuditedInTurn(database, { text: insert, values }, audit, [createHealth(directory)])
      return created.length === 1 ? 'created' : 'too-many-directories'
    },
    async getDirectory(id) {
      const found = await row({ text: byId, values: [id] })
      return found && decode(found)
    },
    async getDirectories(ids) {
      const found = await rows({ text: byIds, values: [withoutNulIds(ids)] })
      return new Map(found.map((one) => [text(one, 'id'), decode(one)]))
    },
    listDirectories: async (scope, part) => (await rows(list(scope, part, directoryColumns))).map(decode),
    listDirectoriesInScope: async (scope, part) =>
      (await rows(list(scope, part, 'd.id, d.tenant, d.created_at'))).map(decodeListedDirectory),
    async replaceDirectory(directory, audit, { onlyWithoutEvents = false } = {}) {
      const names = [Number(directory.uniqueGroupNames), storedScimAuth(directory)]
      const others = [directory.directoryType, !onlyWithoutEvents, ...names]
      const values = [...changingValues(directory, sealing), ...others, ...termColumns(directory)]
      const replaced = await writeAudited(database, { text: replace, values }, audit, [updateHealth(directory)])
      return replaced.length === 1 ? 'replaced' : 'directory-changed'
    },
    async hadEvents(id) {
      const found = await row({ text: had, values: [id] })
      return found !== undefined && boolean(found, 'had_events')
    },
    deleteDirectory: createDelete(database),
  }
}

export function createChangeRecord({ longTransaction }: Database, sealing: Sealing): ChangeRecord {
  return ({ before, isMade, change, after }) =>
    longTransaction(async (run) => {
      const [found = []] = await run([before])
      if (!isMade(found)) return false
      const database = databaseWithin(run)
      await change(postgresDirectories(database, createReader(database), sealing))
      await run(after)
      return true
    })
}

/** The links are revoked after the chain is locked, as creating a link locks them in this order. */
function createDelete({ transaction }: Database): DirectoryTable['deleteDirectory'] {
  return async (id, at, audit) => {
    if (id.includes('\0')) return false
    return transaction(withAuditHead([{ text: hide, values: [id] }], audit), (read) => {
      const isDeleted = read[0]?.length === 1
      const also = [
        { text: removeTerms, values: [id] },
        { text: revokeLinks, values: [id, at] },
      ]
      const statements = [...also, ...auditStatements(read, audit), removeHealth(id)]
      return { statements: isDeleted ? statements : [], answer: isDeleted }
    })
  }
}

/** The columns of `decodeLocked`. */
const lockedColumns = `last_sequence, discarded_events, active_users, memberships, held_from,
  (last_change_at is not null)::int4 as has_changed`

const lock = (revision: string) => `
  select ${lockedColumns} from directory_state where directory_id = $1 and revision ${revision} for update`
const [lockAtRevision, lockPresent] = [lock('= $2'), lock('>= 0')]

/**
 * Locks a directory for the transaction and reads its counters; no row when its record is not at that
 * revision, or it is deleted. The statements after it see everything that other processes committed before.
 */
export function lockDirectory({ id, revision }: LockedDirectory): Statement {
  return revision === undefined ? { text: lockPresent, values: [id] } : { text: lockAtRevision, values: [id, revision] }
}

/** Decodes the row of `lockDirectory`; undefined when the directory was changed. */
export function decodeLocked([row]: readonly Row[] = []): CountedState | undefined {
  return row && decodeCountedState(row)
}

/** Parameters 1 to 16: the id, the revision, and what of a directory can change. */
function changingValues(directory: Directory, sealing: Sealing): unknown[] {
  const row = directoryValues(directory, sealing)
  return [
    row.id,
    row.revision,
    row.name,
    row.scim_secret,
    row.previous_scim_secret,
    row.previous_scim_secret_expires_at,
    row.endpoint_url,
    row.endpoint_secret,
    row.extdir,
    row.log_webhook_events,
    row.deactivated,
    row.previous_endpoint_secret,
    row.previous_endpoint_secret_expires_at,
    row.can_sync,
    row.removal_limit,
    row.log_scim_requests,
  ]
}

/** The terms of a directory, as the parameters of `termsFrom`. */
function termColumns(directory: Directory): unknown[] {
  const terms = termsOf(directoryTexts(directory))
  return [listNumber(directory.product, 'directory'), terms.map(({ term }) => term), terms.map(({ shared }) => shared)]
}

function list(scope: DirectoryScope, { after, offset = 0, limit }: DirectoryListPart, columns: string): Statement {
  const { conditions, values } = scopeConditions(scope, 5)
  const statement = `
    select ${columns} from (
      select * from directories d where ${conditions} limit $3 offset $4
    ) d ${withState} order by d.created_at, d.id`
  return { text: statement, values: [after?.createdAt ?? 0, after?.id ?? '', limit, offset, ...values] }
}

/**
 * The conditions on a directory `d` after the position `$1`, `$2`, and the order, which leave one index to choose: see `oneRow`. Other
 * parameters begin with the number `first`.
 */
function scopeConditions(
  { tenant, product, directoryId }: DirectoryScope,
  first: number,
): { conditions: string; values: (string | null)[] } {
  const [one, other, third] = [first, first + 1, first + 2].map((number) => `$${number}`)
  if (directoryId !== undefined) {
    const ofScope = `d.tenant = coalesce(${other}, d.tenant) and d.product = coalesce(${third}, d.product)`
    const conditions = `d.id = ${one} and ${ofScope} and d.deleted <> 1 and (d.created_at, d.id) > ($1, $2)`
    return { conditions, values: [directoryId, tenant ?? null, product ?? null] }
  }
  const position = 'd.created_at, d.id'
  if (product === undefined) {
    const ofTenant = tenant === undefined ? '' : ` and d.tenant = ${one}`
    const conditions = `(${position}) > ($1, $2) and d.deleted = 0${ofTenant} order by ${position}`
    return { conditions, values: tenant === undefined ? [] : [tenant] }
  }
  const columns = tenant === undefined ? ['d.product'] : ['d.tenant', 'd.product']
  const values = tenant === undefined ? [product] : [tenant, product]
  const names = [one, other].slice(0, columns.length)
  const after = `(${columns.join(', ')}, ${position}) > (${names.join(', ')}, $1, $2)`
  const upTo = columns.map((column, index) => `${column} <= ${names[index]}`).join(' and ')
  return { conditions: `${after} and ${upTo} and d.deleted = 0 order by ${columns.join(', ')}, ${position}`, values }
}
