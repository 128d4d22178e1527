import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabaseSource } from '../../../src/polis/import/source/database-source.ts'
import { createOpenValue } from '../../../src/polis/import/source/encryption.ts'
import type { SqlDatabase, SqlRow } from '../../../src/polis/import/source/sql-store.ts'
import { createSqlRecordStore } from '../../../src/polis/import/source/sql-store.ts'

/** A database that answers pages with these rows, and single values with `long`. */
function sourceOf(rows: readonly SqlRow[], long: readonly SqlRow[] = []) {
  const database: SqlDatabase = {
    query: async (text) => (text.includes('limit') ? rows : long),
    milliseconds: (column) => column,
    close: async () => {},
  }
  return createDatabaseSource(createSqlRecordStore(database), createOpenValue(undefined))
}

const directory = { id: 'd', tenant: 'acme', product: 'crm' } as never
const user = { key: 'dsync:users:acme:crm:1', value: JSON.stringify({ id: 'u', raw: {} }), created_at: 5 }

async function read(rows: readonly SqlRow[], long?: readonly SqlRow[]) {
  const unreadable: string[] = []
  const users = await Array.fromAsync(sourceOf(rows, long).users(directory, (key) => unreadable.push(key)))
  return { users: users.map(({ id }) => id), unreadable }
}

for (const { what, row, long } of [
  { what: 'is no text', row: { value: null }, long: [{ value: Buffer.from('{}') }] },
  { what: 'is null', row: { value: null }, long: [{ value: null }] },
  { what: 'is no JSON', row: { value: '{' } },
  { what: 'is a list', row: { value: '[]' } },
  { what: 'has no id', row: { value: '{"raw":{}}' } },
  { what: 'has no raw', row: { value: '{"id":"u"}' } },
  { what: 'is encrypted by another key', row: { value: 'AAAA', iv: 'AAAA', tag: 'AAAA' } },
]) {
  test(`a row whose value ${what} is named as unreadable, and left out`, async () => {
    assert.deepEqual(await read([user, { ...user, key: 'dsync:users:acme:crm:2', ...row }], long), {
      ...{ users: ['u'], unreadable: ['dsync:users:acme:crm:2'] },
    })
  })
}

test('an entry of the index without a record, and a record that is deleted meanwhile, are no records', async () => {
  const rows = [{ ...user, key: null, value: null }, user, { ...user, value: null }]
  assert.deepEqual(await read(rows), { users: ['u'], unreadable: [] })
})

test('a table whose keys are no texts is refused', async () => {
  await assert.rejects(read([{ ...user, key: Buffer.from('k') }]), {
    name: 'PolisSourceError',
    message: /The keys in the table jackson_store are not texts/,
  })
})
