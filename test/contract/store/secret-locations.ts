import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealing } from '../../../src/store/sealing.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest, TestDatabase } from './database.ts'
import { someKey } from './database.ts'
import { addDirectory } from './samples.ts'

const now = 1_700_000_000_000

/** Two directories with secrets, one of them chosen by an attacker, and secrets of the service itself. */
async function withSecrets(database: TestDatabase): Promise<Ids> {
  const store = await database.open()
  const endpoint = { url: 'https://mallory.example/', secret: 'chosen-by-mallory', previousSecret: undefined }
  const [one, other] = [await addDirectory(store, { endpoint }), await addDirectory(store)]
  await store.getOrCreateSecret('audit-chain', 'chain')
  await store.getOrCreateSecret('admin-jwt', 'jwt')
  await store.keepAuthorization(other.id, 'verifier', now + 1)
  await store.close()
  return { one: one.id, other: other.id }
}

interface Ids {
  readonly one: string
  readonly other: string
}

const chosen = ({ one }: Ids) => `(select endpoint_secret from directories where id = '${one}')`
const readChain = (store: Store) => store.getOrCreateSecret('audit-chain', 'another')

/** The location that a ciphertext is copied to, and the read that then decrypts it. */
const copies: readonly {
  readonly what: string
  readonly sql: (ids: Ids) => string
  readonly read: (store: Store, ids: Ids) => Promise<unknown>
  readonly where: RegExp
}[] = [
  {
    what: 'of a directory that was copied to another of its columns',
    sql: ({ one }) => `update directories set scim_secret = endpoint_secret where id = '${one}'`,
    read: (store, { one }) => store.getDirectory(one),
    where: /in table directories, column scim_secret/,
  },
  {
    what: 'of a directory that was copied to another directory',
    sql: (ids) => `update directories set endpoint_secret = ${chosen(ids)} where id = '${ids.other}'`,
    read: (store, { other }) => store.getDirectory(other),
    where: /in table directories, column endpoint_secret/,
  },
  {
    what: 'of a directory that was copied over the audit key',
    sql: (ids) => `update settings set value = ${chosen(ids)} where name = 'audit-chain'`,
    read: readChain,
    where: /in table settings, column value, row audit-chain/,
  },
  {
    what: 'of the service that was copied over another of its secrets',
    sql: () =>
      `update settings set value = (select value from settings where name = 'admin-jwt') where name = 'audit-chain'`,
    read: readChain,
    where: /in table settings, column value, row audit-chain/,
  },
  {
    what: 'of a directory that was copied over a pending authorization',
    sql: (ids) => `update pending_authorizations set sealed = ${chosen(ids)}`,
    read: (store, { other }) => store.takeAuthorization(other, now),
    where: /in table pending_authorizations, column sealed/,
  },
]

export function secretLocationContract(engine: string, { createDatabase }: StoreUnderTest): void {
  for (const { what, sql, read, where } of copies) {
    test(`${engine}: does not decrypt or re-encrypt a ciphertext ${what}`, async () => {
      await using database = await createDatabase()
      const ids = await withSecrets(database)
      await database.execute(sql(ids))
      const store = await database.open(createSealing([Buffer.alloc(32, 9), someKey]))
      await assert.rejects(store.resealed(99), where)
      await assert.rejects(read(store, ids), where)
      await store.close()
    })
  }

  for (const { table, column } of [
    { table: 'directories', column: 'scim_secret' },
    { table: 'settings', column: 'value' },
  ]) {
    test(`${engine}: does not open a database with secrets of an older format in ${table}`, async () => {
      await using database = await createDatabase()
      await withSecrets(database)
      await database.execute(`update ${table} set ${column} = 'v1.' || substr(${column}, 4)`)
      await assert.rejects(database.open(), /^Error: A stored secret is not in the format that this version/)
    })
  }
}
