import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** How much a Polis holds, in each of its directories. */
export interface PolisSize {
  readonly directories: number
  readonly users: number
  readonly groups: number
  /** In each group; at most the users of a directory. */
  readonly members: number
  /** The DB_ENCRYPTION_KEY; records are in plain text without it. */
  readonly encryptionKey?: string | undefined
}

/** Creates the tables of Polis on PostgreSQL, as its library does. */
export const polisTables = `
create table jackson_store (
  key varchar(1500) primary key, value text not null, iv varchar(64), tag varchar(64),
  "createdAt" timestamp not null default now(), "modifiedAt" timestamp, namespace varchar(256));
create index _jackson_store_namespace on jackson_store (namespace);
create table jackson_index (
  id serial primary key, key varchar(1500) not null,
  "storeKey" varchar(1500) not null references jackson_store (key) on delete cascade);
create index _jackson_index_key on jackson_index (key);
create index _jackson_index_key_store on jackson_index (key, "storeKey");
create table jackson_ttl (key varchar(1500) primary key, "expiresAt" bigint not null);`

interface StoredRecord {
  readonly namespace: string
  readonly id: string
  readonly content: object
  readonly indexes: readonly (readonly [name: string, value: string])[]
}

/** Fills an empty database by SQL, in the form of Polis’ library, which would take hours for as much. */
export async function fillPolis(databaseUrl: string, size: PolisSize): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(polisTables)
    for (let number = 0; number < size.directories; number += 1)
      await writeRecords(client, directoryOf(number, size), size)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Changes some users, and adds and deletes one, in each of the first directories. */
export async function changePolis(databaseUrl: string, size: PolisSize, directories: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let number = 0; number < directories; number += 1) {
      const { namespace, directoryId } = scopeOf(number)
      await client.query('delete from jackson_store where key = $1', [keyOf(namespace, idOf('user', number, 1))])
      const changed = userOf(number, 0, 'Renamed')
      const { value, iv, tag } = sealed(changed.content, size.encryptionKey)
      await client.query('update jackson_store set value = $2, iv = $3, tag = $4 where key = $1', [
        ...[keyOf(namespace, changed.id), value, iv, tag],
      ])
      await writeRecords(client, [userOf(number, size.users + 1, directoryId)], size)
    }
  } finally {
    await client.end()
  }
}

function digestOf(text: string): string {
  return createHash('ripemd160').update(text).digest('hex')
}

function keyOf(namespace: string, id: string): string {
  return `${namespace}:${digestOf(id)}`
}

/** An id in the form of a UUID. */
function idOf(kind: string, directory: number, number: number): string {
  const hex = createHash('sha256').update(`${kind} ${directory} ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function scopeOf(number: number) {
  const [tenant, product] = [`tenant-${number}`, 'crm']
  return { tenant, product, namespace: `dsync:users:${tenant}:${product}`, directoryId: idOf('directory', number, 0) }
}

function directoryOf(number: number, size: PolisSize): StoredRecord[] {
  const { tenant, product, directoryId: id } = scopeOf(number)
  const content = {
    ...{ id, name: `Directory ${number}`, tenant, product, type: 'okta-scim-v2', log_webhook_events: false },
    scim: { path: `/api/scim/v2.0/${id}`, secret: digestOf(id).slice(0, 22) },
    webhook: { endpoint: `https://${tenant}.example/events`, secret: `webhook-${number}` },
  }
  const directory = { namespace: 'dsync:config', id, content, indexes: [] }
  const users = Array.from({ length: size.users }, (_, user) => userOf(number, user))
  const groups = Array.from({ length: size.groups }, (_, group) => groupOf(number, group))
  const members = groups.flatMap((group, n) =>
    Array.from({ length: size.members }, (_, member) =>
      memberOf(number, group.id, idOf('user', number, (n * 7 + member) % size.users)),
    ),
  )
  return [directory, ...users, ...groups, ...members]
}

function userOf(directory: number, number: number, familyName = `Family ${number}`): StoredRecord {
  const { namespace, tenant, directoryId } = scopeOf(directory)
  const id = idOf('user', directory, number)
  const email = `user-${number}@${tenant}.example`
  const raw = {
    ...{
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      externalId: `00u${directory}x${number}`,
    },
    ...{
      name: { givenName: `Given ${number}`, familyName },
      displayName: `Given ${number} ${familyName}`,
      locale: 'en-US',
    },
    ...{ emails: [{ primary: true, type: 'work', value: email }], groups: [], active: true, title: 'Engineer', id },
  }
  const fields = { first_name: `Given ${number}`, last_name: familyName, email, active: true, id, raw }
  const indexes = [
    ['directoryIdUsername', `${directoryId}:${email}`],
    ['directoryId', directoryId],
  ] as const
  return { namespace, id, content: fields, indexes }
}

function groupOf(directory: number, number: number): StoredRecord {
  const { tenant, product, directoryId } = scopeOf(directory)
  const [id, name] = [idOf('group', directory, number), `Group ${number}`]
  const raw = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: name, members: [], id }
  const indexes = [
    ['directoryIdDisplayname', `${directoryId}:${name}`],
    ['directoryId', directoryId],
  ] as const
  return { namespace: `dsync:groups:${tenant}:${product}`, id, content: { id, name, raw }, indexes }
}

function memberOf(directory: number, groupId: string, userId: string): StoredRecord {
  const { tenant, product } = scopeOf(directory)
  const content = { group_id: groupId, user_id: userId }
  const namespace = `dsync:members:${tenant}:${product}`
  return { namespace, id: digestOf(`${groupId}:${userId}`), content, indexes: [['groupId', groupId]] }
}

const insertRecords = `
  insert into jackson_store (key, value, iv, tag, namespace)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`
const insertIndexes = 'insert into jackson_index (key, "storeKey") select * from unnest($1::text[], $2::text[])'

async function writeRecords(
  client: Client,
  records: readonly StoredRecord[],
  { encryptionKey }: PolisSize,
): Promise<void> {
  const keys = records.map(({ namespace, id }) => keyOf(namespace, id))
  const values = records.map(({ content }) => sealed(content, encryptionKey))
  await client.query(insertRecords, [
    keys,
    ...(['value', 'iv', 'tag'] as const).map((column) => values.map((value) => value[column])),
    records.map(({ namespace }) => namespace),
  ])
  const indexes = records.flatMap(({ namespace, indexes }, n) =>
    indexes.map(([name, value]) => [`${namespace}:${name}:${digestOf(value)}`, keys[n]] as const),
  )
  await client.query(insertIndexes, [indexes.map(([key]) => key), indexes.map(([, key]) => key)])
}

/** A record as Polis stores it. */
function sealed(content: object, key: string | undefined) {
  const text = JSON.stringify(content)
  if (key === undefined) return { value: text, iv: null, tag: null }
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'latin1'), iv)
  const value = cipher.update(text, 'utf8', 'base64') + cipher.final('base64')
  return { value, iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64') }
}
