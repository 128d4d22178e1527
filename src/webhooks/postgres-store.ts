import type { ConsumerStore, Position, ResourceKey, ResourceMarks } from './consumer-store.ts'

/** The part of a client of the package `pg` that the store uses. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
}

/** A client that a pool lends. */
export interface PostgresPoolClient extends PostgresClient {
  /** @param error with one, the connection is not used again */
  release(error?: Error): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a pool of the package `pg` that the store uses. */
export interface PostgresPool<Client extends PostgresPoolClient> {
  connect(): Promise<Client>
}

interface Naming {
  /** The beginning of the names of the tables, with their schema if it is not in the `search_path`. Default: `rollcall`. */
  readonly prefix?: string | undefined
  /** Whether resources are remembered for `onDrop`, with a row each. Default: true. */
  readonly marks?: boolean | undefined
}

/** The connections of the store. With one client, it makes one transaction at a time. */
export type PostgresStoreOptions<Client extends PostgresClient> = Naming &
  (
    | { readonly pool: PostgresPool<Client & PostgresPoolClient>; readonly client?: undefined }
    | { readonly client: Client; readonly pool?: undefined }
  )

/** A store in a PostgreSQL database, which the handlers change in the same transaction. */
export interface PostgresStore<Client extends PostgresClient> extends ConsumerStore<Client> {
  /** Creates the tables that do not exist. Several processes may do so at once. */
  createTables(): Promise<void>
  /** The cursor of a feed, by a name of your own; undefined before the first. */
  readCursor(name: string): Promise<string | undefined>
  /** Stores the cursor of a feed, after its events were processed. */
  writeCursor(name: string, cursor: string): Promise<void>
}

/**
 * Stores the positions of a consumer in the product's own database, and locks the position of a directory while one of
 * its events is processed: any number of processes may receive events, and each event takes effect once.
 *
 * @throws TypeError when there is neither a pool nor a client, or the prefix is not a name
 */
export function postgresStore<Client extends PostgresClient = PostgresClient>(
  options: PostgresStoreOptions<Client>,
): PostgresStore<Client> {
  const { prefix = 'rollcall', marks = true } = options
  if (!/^[a-z_][a-z0-9_]{0,40}(\.[a-z_][a-z0-9_]{0,40})?$/.test(prefix))
    throw new TypeError(
      'prefix: lower-case letters, digits and underscores, after the name of a schema and a dot or not.',
    )
  const withClient = lending(options)
  return {
    transaction: (work) => withClient((client) => inTransaction(client, () => work(client))),
    ...positions(prefix),
    ...cursors(prefix, withClient),
    marks: marks ? resources<Client>(prefix) : undefined,
    createTables: () =>
      withClient(async (client) => {
        await client.query(tables(prefix))
      }),
  }
}

/** Runs work with a client of its own. */
type WithClient<Client> = <T>(work: (client: Client) => Promise<T>) => Promise<T>

function lending<Client extends PostgresClient>({ pool, client }: PostgresStoreOptions<Client>): WithClient<Client> {
  if (pool !== undefined) return (work) => withPooled(pool, work)
  if (client === undefined) throw new TypeError('postgresStore needs a pool or a client of pg.')
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const current = last.then(() => work(client))
    last = current.catch(() => {})
    return current
  }
}

async function withPooled<Client extends PostgresPoolClient, T>(
  pool: PostgresPool<Client>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection that is lost between two statements fails the next one. Without a listener it would end the process.
  client.on('error', nothing)
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    // The state of the connection is not known if the rollback failed, too.
    client.release(error instanceof RollbackFailed ? error : undefined)
    throw error instanceof RollbackFailed ? error.cause : error
  } finally {
    client.off('error', nothing)
  }
}

const nothing = (): void => {}

/** The transaction could not be ended; `cause` is the error for which it should have been. */
class RollbackFailed extends Error {}

async function inTransaction<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
  // At a stricter level, whoever waits for the position of a directory would fail instead.
  await client.query('begin isolation level read committed')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (cause) {
    await client.query('rollback').catch(() => {
      throw new RollbackFailed('The transaction could not be rolled back.', { cause })
    })
    throw cause
  }
}

/** The statements of a request with several are one transaction, which the lock makes wait for another process. */
const tables = (prefix: string) => `
  select pg_advisory_xact_lock(hashtext('${prefix}'));
  create table if not exists ${prefix}_positions (
    directory_id text primary key,
    sequence bigint,            -- of the last processed event; null before the first
    event_id text,
    sync_id text                -- of the resync that is in progress
  );
  create table if not exists ${prefix}_cursors (
    name text primary key,
    cursor text not null
  );
  create table if not exists ${prefix}_resources (
    directory_id text not null,
    user_id text not null,      -- empty for a group
    group_id text not null,     -- empty for a user
    sync_id text,               -- of the last resync that has reported it
    primary key (directory_id, user_id, group_id),
    unique (directory_id, group_id, user_id)
  )`

function positions<Client extends PostgresClient>(
  prefix: string,
): Pick<ConsumerStore<Client>, 'readPosition' | 'writePosition'> {
  const read = `select sequence, event_id, sync_id from ${prefix}_positions where directory_id = $1 for update`
  const begin = `insert into ${prefix}_positions (directory_id) values ($1) on conflict do nothing`
  const write = `
    insert into ${prefix}_positions (directory_id, sequence, event_id, sync_id) values ($1, $2, $3, $4)
    on conflict (directory_id) do update
    set sequence = excluded.sequence, event_id = excluded.event_id, sync_id = excluded.sync_id`
  return {
    async readPosition(directoryId, client) {
      const { rows } = await client.query(read, [directoryId])
      if (rows.length > 0) return positionIn(rows)
      // There must be a row to lock. The insertion waits for another process that inserts the same.
      await client.query(begin, [directoryId])
      return positionIn((await client.query(read, [directoryId])).rows)
    },
    async writePosition(directoryId, { sequence, eventId = null, syncId = null }, client) {
      await client.query(write, [directoryId, sequence, eventId, syncId])
    },
  }
}

function positionIn([row]: readonly Readonly<Record<string, unknown>>[]): Position | undefined {
  if (row === undefined || row['sequence'] === null) return undefined
  return {
    sequence: Number(row['sequence']),
    eventId: textOf(row['event_id']),
    syncId: textOf(row['sync_id']),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function cursors<Client extends PostgresClient>(prefix: string, withClient: WithClient<Client>) {
  const write = `
    insert into ${prefix}_cursors (name, cursor) values ($1, $2)
    on conflict (name) do update set cursor = excluded.cursor`
  return {
    readCursor: (name: string) =>
      withClient(async (client) => {
        const { rows } = await client.query(`select cursor from ${prefix}_cursors where name = $1`, [name])
        return textOf(rows[0]?.['cursor'])
      }),
    writeCursor: (name: string, cursor: string) =>
      withClient(async (client) => {
        await client.query(write, [name, cursor])
      }),
  }
}

function resources<Client extends PostgresClient>(prefix: string): ResourceMarks<Client> {
  const set = `
    insert into ${prefix}_resources (directory_id, user_id, group_id, sync_id) values ($1, $2, $3, $4)
    on conflict (directory_id, user_id, group_id) do update set sync_id = excluded.sync_id`
  const remove = (condition: string) => `delete from ${prefix}_resources where directory_id = $1 and ${condition}`
  // Memberships come first: they may refer to the users and groups.
  const unmarked = `
    select user_id, group_id from ${prefix}_resources where directory_id = $1 and sync_id is distinct from $2
    order by user_id = '' or group_id = '', user_id, group_id`
  return {
    async set(directoryId, resource, syncId, client) {
      await client.query(set, [directoryId, ...idsOf(resource), syncId ?? null])
    },
    async remove(directoryId, resource, client) {
      const [userId, groupId] = idsOf(resource)
      if (resource.kind === 'user') await client.query(remove('user_id = $2'), [directoryId, userId])
      else if (resource.kind === 'group') await client.query(remove('group_id = $2'), [directoryId, groupId])
      else await client.query(remove('user_id = $2 and group_id = $3'), [directoryId, userId, groupId])
    },
    async unmarked(directoryId, syncId, client) {
      const { rows } = await client.query(unmarked, [directoryId, syncId])
      return rows.map((row) => resourceOf(String(row['user_id']), String(row['group_id'])))
    },
  }
}

function idsOf(resource: ResourceKey): [userId: string, groupId: string] {
  if (resource.kind === 'member') return [resource.userId, resource.groupId]
  return resource.kind === 'user' ? [resource.id, ''] : ['', resource.id]
}

function resourceOf(userId: string, groupId: string): ResourceKey {
  if (groupId === '') return { kind: 'user', id: userId }
  return userId === '' ? { kind: 'group', id: groupId } : { kind: 'member', userId, groupId }
}
