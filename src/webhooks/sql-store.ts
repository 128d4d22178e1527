import type { ConsumerStore, Position, ResourceKey, ResourceMarks } from './consumer-store.ts'

export interface TableOptions {
  /** The beginning of the names of the tables, with their schema if it is not the default one. Default: `rollcall`. */
  readonly prefix?: string | undefined
  /** Whether resources are remembered for `onDrop`, with a row each. Default: true. */
  readonly marks?: boolean | undefined
}

/** A store in a SQL database, which the handlers change in the same transaction. */
export interface SqlStore<Client> extends ConsumerStore<Client> {
  /** Creates the tables that do not exist. Several processes may do so at once. */
  createTables(): Promise<void>
  /** The cursor of a feed, by a name of your own; undefined before the first. */
  readCursor(name: string): Promise<string | undefined>
  /** Stores the cursor of a feed, after its events were processed. */
  writeCursor(name: string, cursor: string): Promise<void>
}

/** Runs work with a client of its own. */
export type WithClient<Client> = <T>(work: (client: Client) => Promise<T>) => Promise<T>

type Row = Readonly<Record<string, unknown>>

/** The differences between databases. The parameters of a statement are `$1`, `$2` and so on, in the order of its text. */
interface Dialect<Client> {
  query(client: Client, text: string, values: (string | number | null)[]): Promise<readonly Row[]>
  readonly withClient: WithClient<Client>
  /** The end of a query whose row is locked until the transaction ends. */
  readonly lock: string
}

/** Lends one client to one piece of work at a time. */
export function inTurn<Client>(client: Client): WithClient<Client> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const current = last.then(() => work(client))
    last = current.catch(() => {})
    return current
  }
}

/** @throws TypeError when the prefix is not a name */
export function tablesPrefix({ prefix = 'rollcall' }: TableOptions): string {
  if (/^[a-z_][a-z0-9_]{0,40}(\.[a-z_][a-z0-9_]{0,40})?$/.test(prefix)) return prefix
  throw new TypeError(
    'prefix: lower-case letters, digits and underscores, after the name of a schema and a dot or not.',
  )
}

/** The parts of a store that are the same in every SQL database. */
export function sqlParts<Client>(options: TableOptions, dialect: Dialect<Client>) {
  const prefix = tablesPrefix(options)
  return {
    ...positions(prefix, dialect),
    ...cursors(prefix, dialect),
    marks: options.marks === false ? undefined : resources(prefix, dialect),
  }
}

export const tables = (prefix: string) => `
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

function positions<Client>(
  prefix: string,
  { query, lock }: Dialect<Client>,
): Pick<ConsumerStore<Client>, 'readPosition' | 'writePosition'> {
  const read = `select sequence, event_id, sync_id from ${prefix}_positions where directory_id = $1 ${lock}`
  const begin = `insert into ${prefix}_positions (directory_id) values ($1) on conflict do nothing`
  const write = `
    insert into ${prefix}_positions (directory_id, sequence, event_id, sync_id) values ($1, $2, $3, $4)
    on conflict (directory_id) do update
    set sequence = excluded.sequence, event_id = excluded.event_id, sync_id = excluded.sync_id`
  return {
    async readPosition(directoryId, client) {
      const rows = await query(client, read, [directoryId])
      if (rows.length > 0) return positionIn(rows)
      // There must be a row to lock. The insertion waits for another process that inserts the same.
      await query(client, begin, [directoryId])
      return positionIn(await query(client, read, [directoryId]))
    },
    async writePosition(directoryId, { sequence, eventId = null, syncId = null }, client) {
      await query(client, write, [directoryId, sequence, eventId, syncId])
    },
  }
}

function positionIn([row]: readonly Row[]): Position | undefined {
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

function cursors<Client>(prefix: string, { query, withClient }: Dialect<Client>) {
  const write = `
    insert into ${prefix}_cursors (name, cursor) values ($1, $2)
    on conflict (name) do update set cursor = excluded.cursor`
  return {
    readCursor: (name: string) =>
      withClient(async (client) => {
        const rows = await query(client, `select cursor from ${prefix}_cursors where name = $1`, [name])
        return textOf(rows[0]?.['cursor'])
      }),
    writeCursor: (name: string, cursor: string) =>
      withClient(async (client) => {
        await query(client, write, [name, cursor])
      }),
  }
}

function resources<Client>(prefix: string, { query }: Dialect<Client>): ResourceMarks<Client> {
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
      await query(client, set, [directoryId, ...idsOf(resource), syncId ?? null])
    },
    async remove(directoryId, resource, client) {
      const [userId, groupId] = idsOf(resource)
      if (resource.kind === 'user') await query(client, remove('user_id = $2'), [directoryId, userId])
      else if (resource.kind === 'group') await query(client, remove('group_id = $2'), [directoryId, groupId])
      else await query(client, remove('user_id = $2 and group_id = $3'), [directoryId, userId, groupId])
    },
    async unmarked(directoryId, syncId, client) {
      const rows = await query(client, unmarked, [directoryId, syncId])
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
