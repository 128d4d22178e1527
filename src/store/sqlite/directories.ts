import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryListPart, DirectoryRecords } from '../../directory/directory-store.ts'
import { directoryTexts, termsOf } from '../../directory/search-terms.ts'
import { endedPerWrite } from '../deprovisionings.ts'
import type { ChangeRecord, DirectoryTable } from '../directories.ts'
import {
  decodeDirectory,
  decodeListedDirectory,
  directoryColumns,
  directoryValues,
  hadEvents,
  inheritedMapping,
} from '../directories.ts'
import { createHealth, removeHealth, updateHealth } from '../health-checks.ts'
import type { Row } from '../row.ts'
import { boolean, integer, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { addsWork, sendableSequence } from '../streams.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'
import { requireDirectoryNumber, rowKey } from './row-key.ts'
import type { SearchTerms, TermOwner } from './search-terms.ts'
import { createSearchTerms } from './search-terms.ts'
import type { RunStatement } from './sql-database.ts'

const from = 'from directories d join directory_state s on s.directory_id = d.id where d.deleted = 0'

/** A directory as the owner of its terms. */
function ownerOf(number: number, product: string): TermOwner {
  return { product, kind: 'directory', rowKey: rowKey(number, 0) }
}

/** The parts that the operations on directories use. */
interface Parts {
  readonly write: GroupCommit['write']
  readonly run: RunStatement
  readonly sealing: Sealing
  readonly appendAudit: AppendAudit
  readonly terms: SearchTerms
}

/** Directories on SQLite. */
export function sqliteDirectories(
  db: DatabaseSync,
  { write }: GroupCommit,
  { run, sealing, appendAudit }: Omit<Parts, 'write' | 'terms'>,
): DirectoryTable {
  const byId = db.prepare(`select ${directoryColumns} ${from} and d.id = ?`)
  const parts = { write, run, sealing, appendAudit, terms: createSearchTerms(db) }
  return {
    createDirectory: createCreate(db, parts),
    async getDirectory(id) {
      const row = byId.get(id)
      return row && decodeDirectory(row, sealing)
    },
    async getDirectories(ids) {
      const rows = ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
      return new Map(rows.map((row) => [text(row, 'id'), decodeDirectory(row, sealing)]))
    },
    listDirectories: createList(db, directoryColumns, (row) => decodeDirectory(row, sealing)),
    listDirectoriesInScope: createList(db, 'd.id, d.tenant, d.created_at', decodeListedDirectory),
    replaceDirectory: createReplace(db, parts),
    hadEvents: createHadEvents(db),
    deleteDirectory: createDelete(db, parts),
  }
}

/** Changes records between other statements, in one write of the group commit. */
export function createChangeRecord(
  db: DatabaseSync,
  commits: GroupCommit,
  parts: Pick<Parts, 'run' | 'sealing' | 'appendAudit'>,
): ChangeRecord {
  const { run } = parts
  const directories = sqliteDirectories(db, { ...commits, write: atOnce }, parts)
  return ({ before, isMade, change, after }) =>
    commits.write(() => {
      if (!isMade(run(before))) return false
      void change(directories)
      after.forEach(run)
      return true
    })
}

/** Runs an operation in the write that is running. An error ends that write. */
function atOnce<T>(operation: () => T): Promise<T> {
  return Promise.resolve(operation())
}

function createCreate(
  db: DatabaseSync,
  { write, run, sealing, appendAudit, terms }: Parts,
): DirectoryRecords['createDirectory'] {
  const insert = db.prepare(`
    insert into directories (id, name, tenant, product, directory_type, scim_secret, previous_scim_secret,
      previous_scim_secret_expires_at, endpoint_url, endpoint_secret, previous_endpoint_secret,
      previous_endpoint_secret_expires_at, extdir, log_webhook_events, log_scim_requests, deactivated,
      removal_limit, unique_group_names, scim_auth, can_sync, created_at, mapping)
    values (:id, :name, :tenant, :product, :directory_type, :scim_secret, :previous_scim_secret,
      :previous_scim_secret_expires_at, :endpoint_url, :endpoint_secret, :previous_endpoint_secret,
      :previous_endpoint_secret_expires_at, :extdir, :log_webhook_events, :log_scim_requests, :deactivated,
      :removal_limit, :unique_group_names, :scim_auth, :can_sync, :created_at, ${inheritedMapping(':product')})`)
  const insertState = db.prepare(
    'insert into directory_state (directory_id, number, revision, last_sequence) values (:id, :number, :revision, 0)',
  )
  const insertStream = db.prepare(
    `insert into delivery_streams (directory_id, target, delivered_sequence) values (?, 'endpoint', 0)`,
  )
  const others = db.prepare(`
    select count(*) as count
    from (select 1 from directories where tenant = ? and product = ? and deleted = 0 limit ?)`)
  const isFull = ({ tenant, product }: Directory, maxPerScope: number) => {
    const row = maxPerScope > 0 ? others.get(tenant, product, maxPerScope) : undefined
    return row !== undefined && integer(row, 'count') >= maxPerScope
  }
  return (directory, audit, maxPerScope = 0) =>
    write(() => {
      if (isFull(directory, maxPerScope)) return 'too-many-directories'
      const { revision, ...row } = directoryValues(directory, sealing)
      const { lastInsertRowid: number } = insert.run(row)
      requireDirectoryNumber(Number(number))
      insertState.run({ id: row.id, number, revision })
      terms.create(ownerOf(Number(number), directory.product), termsOf(directoryTexts(directory)))
      if (row.endpoint_url !== null) insertStream.run(row.id)
      run(createHealth(directory))
      appendAudit(audit)
      return 'created'
    })
}

/** Statements are prepared at the first use of their combination of conditions. */
function createList<T>(db: DatabaseSync, columns: string, decode: (row: Row) => T) {
  const statements = new Map<string, StatementSync>()

  function statementFor(conditions: string): StatementSync {
    const statement =
      statements.get(conditions) ??
      db.prepare(`select ${columns} ${from}${conditions} and (d.created_at, d.id) > (:createdAt, :id)
        order by d.created_at, d.id limit :limit offset :offset`)
    statements.set(conditions, statement)
    return statement
  }

  return async (scope: DirectoryScope, { after, offset = 0, limit }: DirectoryListPart): Promise<T[]> => {
    const { conditions, values } = scopeConditions(scope)
    const position = { createdAt: after?.createdAt ?? 0, id: after?.id ?? '' }
    const rows = statementFor(conditions).all({ ...values, ...position, limit, offset })
    return rows.map(decode)
  }
}

/** The conditions on a directory `d`, and their values by name. */
function scopeConditions(scope: DirectoryScope) {
  const parts = (['tenant', 'product', 'directoryId'] as const).filter((part) => scope[part] !== undefined)
  const conditions = parts.map((part) => ` and d.${part === 'directoryId' ? 'id' : part} = :${part}`).join('')
  return { conditions, values: Object.fromEntries(parts.map((part) => [part, scope[part] ?? null])) }
}

function createReplace(
  db: DatabaseSync,
  { write, run, sealing, appendAudit, terms }: Parts,
): DirectoryRecords['replaceDirectory'] {
  const update = db.prepare(`
    update directories set name = :name, directory_type = :directory_type, scim_secret = :scim_secret, previous_scim_secret = :previous_scim_secret,
      previous_scim_secret_expires_at = :previous_scim_secret_expires_at, endpoint_url = :endpoint_url,
      endpoint_secret = :endpoint_secret, previous_endpoint_secret = :previous_endpoint_secret,
      previous_endpoint_secret_expires_at = :previous_endpoint_secret_expires_at, extdir = :extdir,
      log_webhook_events = :log_webhook_events, log_scim_requests = :log_scim_requests,
      deactivated = :deactivated, removal_limit = :removal_limit,
      can_sync = :can_sync, unique_group_names = :unique_group_names, scim_auth = :scim_auth
    where id = :id and deleted = 0`)
  const advanceRevision = db.prepare(`
    update directory_state set revision = :revision, ${addsWork('endpoint')}, ${addsWork('on-event')}
    where directory_id = :id and revision = :revision - 1 and (:changed_with_events or not (${hadEvents}))
    returning number`)
  const startDelivery = db.prepare(`
    insert or replace into delivery_streams (directory_id, target, delivered_sequence)
    select d.id, 'endpoint', ${sendableSequence}
    from directories d join directory_state s on s.directory_id = d.id
    where d.id = ? and d.endpoint_url is null`)
  const forget = db.prepare(`
    delete from deprovisionings where (directory_id, sequence) in (
      select directory_id, sequence from deprovisionings where directory_id = ? order by sequence limit ${endedPerWrite})`)
  return (directory, audit, { onlyWithoutEvents = false } = {}) =>
    write(() => {
      const { revision, created_at, tenant, product, ...row } = directoryValues(directory, sealing)
      const advanced = advanceRevision.get({ id: row.id, revision, changed_with_events: Number(!onlyWithoutEvents) })
      if (advanced === undefined) return 'directory-changed'
      // Nothing sends the earlier events to the new endpoint: their deprovisionings would stay open.
      if (row.endpoint_url !== null && startDelivery.run(row.id).changes > 0) forget.run(row.id)
      update.run(row)
      const number = integer(advanced, 'number')
      terms.removeOfDirectory(number)
      terms.create(ownerOf(number, product), termsOf(directoryTexts(directory)))
      run(updateHealth(directory))
      appendAudit(audit)
      return 'replaced'
    })
}

function createHadEvents(db: DatabaseSync): DirectoryRecords['hadEvents'] {
  const find = db.prepare(`select ${hadEvents} as had_events from directory_state where directory_id = ?`)
  return async (id) => {
    const row = find.get(id)
    return row !== undefined && boolean(row, 'had_events')
  }
}

function createDelete(
  db: DatabaseSync,
  { write, run, appendAudit, terms }: Parts,
): DirectoryRecords['deleteDirectory'] {
  const hide = db.prepare('update directories set deleted = 1 where id = ? and deleted = 0 returning number')
  const hideState = db.prepare('update directory_state set revision = -1 where directory_id = ?')
  const revokeLinks = db.prepare('update setup_links set revoked_at = ? where directory_id = ? and revoked_at is null')
  return (id, at, audit) =>
    write(() => {
      hideState.run(id)
      const hidden = hide.get(id)
      const isDeleted = hidden !== undefined
      if (isDeleted) terms.removeOfDirectory(integer(hidden, 'number'))
      revokeLinks.run(at, id)
      run(removeHealth(id))
      if (isDeleted) appendAudit(audit)
      return isDeleted
    })
}
