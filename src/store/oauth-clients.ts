import type { FederatedClient, OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthClientStore } from '../oauth/oauth-client-store.ts'
import { auditStatements, entryAfter, lockAuditHead, withAuditHead } from './audit-chain.ts'
import { checkHealth } from './health-checks.ts'
import type { Row } from './row.ts'
import { integer, optionalInteger, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'

/** The columns of a client, in the order of `clientValues`. */
const columnNames = [
  ...['directory_id', 'id', 'type', 'name', 'secret_digest', 'issuer', 'subject', 'audience', 'jwks_url'],
  ...['created_at', 'expires_at', 'last_used_at'],
] as const
const columns = columnNames.join(', ')
const add = `insert into oauth_clients (${columns}) values (${columnNames.map((_, index) => `$${index + 1}`).join(', ')})`

const select = `
  select ${columnNames.map((column) => `c.${column}`).join(', ')} from oauth_clients c
  where (select d.deleted from directories d where d.id = c.directory_id) = 0`
const ofDirectory = `${select} and c.directory_id = $1 order by c.created_at, c.id`
const byId = `${select} and c.id = $1`
const byAssertion = ({ joinOne }: Dialect) => `
  select ${columns} from (
    select c.*, row_number() over (partition by d.product, d.tenant order by c.created_at, c.id) as turn
    from oauth_clients c ${joinOne('directories', 'd', 'd.id = c.directory_id')}
    where d.deleted = 0 and c.issuer = $1 and c.subject = $2) as found
  order by turn, directory_id, id limit $3`
const count = `
  select (select count(*) from oauth_clients c where c.directory_id = d.id) as clients
  from directories d where d.id = $1 and d.deleted <> 1`

/** Writes that are under way name the former revision, and are refused. */
const advanceRevision = `
  update directory_state set revision = revision + 1
  where directory_id = $1 and revision > 0
    and exists (select 1 from oauth_clients where directory_id = $1 and id = $2)`
const remove = 'delete from oauth_clients where directory_id = $1 and id = $2 returning id'
const touch = `
  update oauth_clients set last_used_at = $3 where directory_id = $1 and id = $2 and coalesce(last_used_at, 0) < $3`

const isExpiring = `
  select 1 as found from oauth_clients where expires_at < $1 and expiry_reported = 0 and expires_at is not null limit 1`
/** Two processes do not take the same client. */
const takeExpiring = `
  with due as materialized (
    select directory_id as due_directory, id as due_id from oauth_clients
    where expires_at < $1 and expiry_reported = 0 and expires_at is not null
    order by expires_at limit $2 for update skip locked)
  update oauth_clients set expiry_reported = 1
  from due where directory_id = due_directory and id = due_id
  returning directory_id, id, name, expires_at`

/** OAuth clients. Ids come from outside: one with a NUL character matches nothing. */
export function createOAuthClientStore({ query, atomically, transaction, dialect }: SqlDatabase): OAuthClientStore {
  const ofAssertion = byAssertion(dialect)
  return {
    // The end of the audit chain is locked first: of two clients at the limit, the second sees the first.
    createOAuthClient: (client, audit, maxPerDirectory) =>
      transaction([lockAuditHead, { text: count, values: [client.directoryId] }], ([head, counted]) => {
        const found = counted?.[0]
        if (found === undefined) return { statements: [], answer: 'directory-not-found' as const }
        if (integer(found, 'clients') >= maxPerDirectory) return { statements: [], answer: 'too-many-clients' as const }
        const added = { text: add, values: clientValues(client) }
        const statements = [added, ...entryAfter(head, audit).statements, checkHealth(client.directoryId)]
        return { statements, answer: 'created' as const }
      }),
    listOAuthClients: async (directoryId) =>
      (await query({ text: ofDirectory, values: [directoryId] })).map(decodeClient),
    async getOAuthClient(id) {
      const [found] = await query({ text: byId, values: [id] })
      return found && decodeClient(found)
    },
    async findFederatedClients(issuer, subject, limit) {
      const found = await query({ text: ofAssertion, values: [issuer, subject, limit] })
      return found.map(decodeClient).filter((client) => client.type === 'federated')
    },
    async deleteOAuthClient(directoryId, id, audit) {
      if (id.includes('\0')) return false
      const values = [directoryId, id]
      const first = [
        { text: advanceRevision, values },
        { text: remove, values },
      ]
      return transaction(withAuditHead(first, audit), (read) => {
        const isDeleted = read[1]?.length === 1
        const statements = [...auditStatements(read, audit), checkHealth(directoryId)]
        return { statements: isDeleted ? statements : [], answer: isDeleted }
      })
    },
    async touchOAuthClient(directoryId, id, at) {
      await atomically([{ text: touch, values: [directoryId, id, at] }])
    },
    // Nothing is written, so nothing waits for the disk, while no secret expires.
    async takeExpiringClients(before, limit) {
      if ((await query({ text: isExpiring, values: [before] })).length === 0) return []
      const [taken = []] = await atomically([{ text: takeExpiring, values: [before, limit] }])
      return taken.map((row) => ({
        directoryId: text(row, 'directory_id'),
        id: text(row, 'id'),
        name: optionalText(row, 'name'),
        expiresAt: integer(row, 'expires_at'),
      }))
    },
  }
}

function clientValues(client: OAuthClient): (string | number | null)[] {
  const { directoryId, id, type, name = null, createdAt, lastUsedAt = null } = client
  const ofType =
    client.type === 'secret'
      ? [client.secretDigest, null, null, null, null]
      : [null, client.issuer, client.subject, client.audience, client.jwksUrl ?? null]
  const expiresAt = client.type === 'secret' ? client.expiresAt : null
  return [directoryId, id, type, name, ...ofType, createdAt, expiresAt, lastUsedAt]
}

function decodeClient(row: Row): OAuthClient {
  const basics = {
    id: text(row, 'id'),
    directoryId: text(row, 'directory_id'),
    name: optionalText(row, 'name'),
    createdAt: integer(row, 'created_at'),
    lastUsedAt: optionalInteger(row, 'last_used_at'),
  }
  if (text(row, 'type') === 'federated') return { ...basics, ...decodeFederated(row) }
  return { ...basics, type: 'secret', secretDigest: text(row, 'secret_digest'), expiresAt: integer(row, 'expires_at') }
}

function decodeFederated(row: Row): Pick<FederatedClient, 'type' | 'issuer' | 'subject' | 'audience' | 'jwksUrl'> {
  return {
    type: 'federated',
    issuer: text(row, 'issuer'),
    subject: text(row, 'subject'),
    audience: text(row, 'audience'),
    jwksUrl: optionalText(row, 'jwks_url'),
  }
}
