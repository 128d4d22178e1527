import type { DatabaseSync } from 'node:sqlite'
import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryListPart, DirectoryRecords } from '../../directory/store.ts'
import type { DirectoryRow } from '../directories.ts'
import { directoryFrom, directoryRow } from '../directories.ts'
import type { Sealing } from '../sealing.ts'
import type { AppendAudit } from './audit.ts'
import type { GroupCommit } from './group-commit.ts'

const columns = `d.id, d.name, d.tenant, d.product, d.directory_type, d.scim_secret, d.previous_scim_secret,
  d.previous_scim_secret_expires_at, d.endpoint_url, d.endpoint_secret, d.previous_endpoint_secret,
  d.previous_endpoint_secret_expires_at, d.extdir, d.log_webhook_events, d.deactivated, d.created_at, s.revision`

/** Directories on SQLite. */
export function sqliteDirectories(
  db: DatabaseSync,
  { write }: GroupCommit,
  { sealing, appendAudit }: { readonly sealing: Sealing; readonly appendAudit: AppendAudit },
): DirectoryRecords {
  const from = `from directories d join directory_state s on s.directory_id = d.id where d.deleted = 0`
  const byId = db.prepare(`select ${columns} ${from} and d.id = ?`)
  const insert = db.prepare(`
    insert into directories (id, name, tenant, product, directory_type, scim_secret, previous_scim_secret,
      previous_scim_secret_expires_at, endpoint_url, endpoint_secret, previous_endpoint_secret,
      previous_endpoint_secret_expires_at, extdir, log_webhook_events, deactivated, created_at)
    values (:id, :name, :tenant, :product, :directory_type, :scim_secret, :previous_scim_secret,
      :previous_scim_secret_expires_at, :endpoint_url, :endpoint_secret, :previous_endpoint_secret,
      :previous_endpoint_secret_expires_at, :extdir, :log_webhook_events, :deactivated, :created_at)`)
  const insertState = db.prepare(
    'insert into directory_state (directory_id, number, revision, last_sequence) values (:id, :number, :revision, 0)',
  )
  const update = db.prepare(`
    update directories set name = :name, scim_secret = :scim_secret, previous_scim_secret = :previous_scim_secret,
      previous_scim_secret_expires_at = :previous_scim_secret_expires_at, endpoint_url = :endpoint_url,
      endpoint_secret = :endpoint_secret, previous_endpoint_secret = :previous_endpoint_secret,
      previous_endpoint_secret_expires_at = :previous_endpoint_secret_expires_at, extdir = :extdir,
      log_webhook_events = :log_webhook_events, deactivated = :deactivated
    where id = :id and deleted = 0`)
  const advanceRevision = db.prepare(
    'update directory_state set revision = :revision where directory_id = :id and revision = :revision - 1',
  )
  const startDelivery = db.prepare(`
    insert or replace into delivery_streams (directory_id, target, delivered_sequence)
    select d.id, 'endpoint', s.last_sequence
    from directories d join directory_state s on s.directory_id = d.id
    where d.id = ? and d.endpoint_url is null`)
  const hide = db.prepare('update directories set deleted = 1 where id = ? and deleted = 0')
  const hideState = db.prepare('update directory_state set revision = -1 where directory_id = ?')

  /** The listings by which parts are given; each is prepared at its first use. */
  const listings = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  function listing(scope: DirectoryScope) {
    const given = (['tenant', 'product', 'directoryId'] as const).filter((name) => scope[name] !== undefined)
    const key = given.join()
    const conditions = given.map((name) => ` and d.${name === 'directoryId' ? 'id' : name} = :${name}`).join('')
    const statement =
      listings.get(key) ??
      db.prepare(`select ${columns} ${from}${conditions} and (d.created_at, d.id) > (:createdAt, :id)
        order by d.created_at, d.id limit :limit offset :offset`)
    listings.set(key, statement)
    return { statement, values: Object.fromEntries(given.map((name) => [name, scope[name] ?? null])) }
  }

  const parameters = (directory: Directory) => directoryRow(directory, sealing)
  const open = (row: unknown) => directoryFrom(row as DirectoryRow, sealing)

  return {
    createDirectory: (directory, audit) =>
      write(() => {
        const { revision, ...row } = parameters(directory)
        const { lastInsertRowid: number } = insert.run(row)
        insertState.run({ id: row.id, number, revision })
        if (row.endpoint_url !== null) {
          db.prepare(
            `insert into delivery_streams (directory_id, target, delivered_sequence) values (?, 'endpoint', 0)`,
          ).run(row.id)
        }
        appendAudit(audit)
      }),
    async getDirectory(id) {
      const row = byId.get(id)
      return row === undefined ? undefined : open(row)
    },
    async listDirectories(scope: DirectoryScope, { after, offset = 0, limit }: DirectoryListPart) {
      const { statement, values } = listing(scope)
      const position = { createdAt: after?.createdAt ?? 0, id: after?.id ?? '' }
      return statement.all({ ...values, ...position, limit, offset }).map(open)
    },
    replaceDirectory: (directory, audit) =>
      write(() => {
        const { revision, created_at, tenant, product, directory_type, ...row } = parameters(directory)
        if (advanceRevision.run({ id: row.id, revision }).changes === 0) return 'directory-changed'
        if (row.endpoint_url !== null) startDelivery.run(row.id)
        update.run(row)
        appendAudit(audit)
        return { replaced: true }
      }).then((answer) => (answer === 'directory-changed' ? answer : 'replaced')),
    deleteDirectory: (id, audit) =>
      write(() => {
        hideState.run(id)
        const isDeleted = hide.run(id).changes === 1
        if (isDeleted) appendAudit(audit)
        return isDeleted
      }),
  }
}
