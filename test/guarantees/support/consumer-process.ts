/**
 * A product that keeps its own data and the positions of its consumer in PostgreSQL. It follows the feed of its
 * product over all tenants, and receives the same events as webhooks. Its arguments are the URL of its database, and
 * the address and the API key of the service. Prints the port of its endpoint, then a line for each applied event.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { PoolClient } from 'pg'
import { Pool } from 'pg'
import { createClient } from '../../../src/client/index.ts'
import type { RollcallEvent, WebhookDirectory } from '../../../src/webhooks/index.ts'
import { createConsumer, postgresStore, RollcallError } from '../../../src/webhooks/index.ts'

const [databaseUrl = '', baseUrl = '', apiKey = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: 4 })
// The database ends the connections of a killed process after it has noticed.
pool.on('error', () => {})
const client = createClient({ baseUrl, apiKey })
const store = postgresStore<PoolClient>({ pool })
await store.createTables()

/** Nothing but the consumer keeps an event from being applied twice. The line is printed before the commit. */
async function apply(event: RollcallEvent, { transaction }: { readonly transaction: PoolClient }): Promise<void> {
  const { directory_id: directoryId, sequence, id } = event
  await transaction.query('insert into applied (directory_id, sequence, event_id) values ($1, $2, $3)', [
    ...[directoryId, sequence, id],
  ])
  process.stdout.write('applied\n')
}

async function secretOf({ directoryId }: WebhookDirectory): Promise<string | undefined> {
  const { rows } = await pool.query<{ secret: string }>('select secret from connections where directory_id = $1', [
    directoryId,
  ])
  return rows[0]?.secret
}

const consumer = createConsumer<PoolClient>({
  store,
  handlers: {
    ...{ 'user.created': apply, 'user.updated': apply, 'user.deleted': apply },
    ...{ 'group.created': apply, 'group.user_added': apply, 'group.user_removed': apply },
  },
  catchUp: (directoryId, after) => client.events({ directoryId, after, follow: false }),
  secret: secretOf,
})

const server = createServer((request, response) => {
  buffer(request)
    .then((body) => consumer.handle(body, request.headers))
    .then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(error instanceof RollcallError ? error.status : 503).end(),
    )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))

const events = client.events({ product: 'crm', after: await store.readCursor('crm') })
for await (const event of events) {
  await consumer.receive(event)
  if (events.cursor !== undefined) await store.writeCursor('crm', events.cursor)
}
