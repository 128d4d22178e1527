import { DatabaseSync } from 'node:sqlite'
import { createClient, RollcallError } from 'rollcall-client'
import type { WebhookDirectory } from 'rollcall-client/webhooks'
import { createConsumer, sqliteStore } from 'rollcall-client/webhooks'

const client = createClient({
  baseUrl: process.env['ROLLCALL_URL'] ?? 'http://localhost:5225',
  apiKey: process.env['ROLLCALL_API_KEY'] ?? '',
})

const file = process.env['DATABASE'] ?? 'product.db'
/** The connection of the product. The consumer has another one, as its transactions last while its handlers run. */
const database = new DatabaseSync(file, { timeout: 5000 })
database.exec(`
  pragma journal_mode = wal;
  create table if not exists accounts (user_id text primary key, tenant text not null, email text not null, active integer not null)`)

const store = sqliteStore({ database: new DatabaseSync(file, { timeout: 5000 }) })
await store.createTables()

/** Applies each event once: what the handlers change is committed together with the position in the directory. */
export const consumer = createConsumer<DatabaseSync>({
  store,
  handlers: {
    'user.created': (event, { transaction }) => save(event, transaction),
    'user.updated': (event, { transaction }) => save(event, transaction),
    'user.snapshot': (event, { transaction }) => save(event, transaction), // of a resync
    'user.deleted': ({ data }, { transaction }) => remove(data.id, transaction),
  },
  onDrop: (resource, { transaction }) => {
    if (resource.kind === 'user') remove(resource.id, transaction)
  },
  secret: secretOf,
  catchUp: (directoryId, after) => client.events({ directoryId, after, follow: false }),
  resync: (id) => client.POST('/{id}/resync', { params: { path: { id } } }),
})

interface UserEvent {
  readonly tenant: string
  readonly data: { readonly id: string; readonly email: string; readonly active: boolean }
}

function save({ tenant, data: { id, email, active } }: UserEvent, transaction: DatabaseSync): void {
  transaction
    .prepare('insert or replace into accounts (user_id, tenant, email, active) values (?, ?, ?, ?)')
    .run(id, tenant, email, Number(active))
}

function remove(userId: string, transaction: DatabaseSync): void {
  transaction.prepare('delete from accounts where user_id = ?').run(userId)
}

/** The secret of a directory, from the service. A product that has many requests keeps it in its own database. */
async function secretOf({ directoryId }: WebhookDirectory): Promise<string | undefined> {
  try {
    const { data } = await client.GET('/{id}', { params: { path: { id: directoryId } } })
    return data.webhook.secret
  } catch (error) {
    if (error instanceof RollcallError && error.status === 404) return undefined // refuses the request
    throw error
  }
}

export function listAccounts(): unknown[] {
  return database.prepare('select tenant, email, active from accounts order by tenant, email').all()
}
