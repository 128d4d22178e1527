import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealing, keyId } from '../../../src/store/sealing.ts'
import type { StoreUnderTest, TestDatabase } from './database.ts'
import { addDirectory } from './samples.ts'

const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]

const withSecrets = {
  scimSecret: 'scim',
  previousScimSecret: { secret: 'previous', expiresAt: 1 },
  endpoint: {
    ...{ url: 'https://acme.example/', secret: 'whsec_a', previousSecret: { secret: 'whsec_b', expiresAt: 1 } },
    headers: { 'X-Gateway-Key': 'of the gateway' },
  },
  google: { domain: 'acme.example', accessToken: 'access', refreshToken: 'refresh' },
}

/** Stores directories and settings with the old key: five rows in all. */
async function underOldKey(database: TestDatabase) {
  const store = await database.open(createSealing([oldKey]))
  const directories = [await addDirectory(store, withSecrets), await addDirectory(store), await addDirectory(store)]
  await store.getOrCreateSecret('admin-jwt', 'kept')
  await store.keepAuthorization(directories[0]?.id ?? '', 'pending', 5)
  await store.close()
  return directories
}

/** The contents of the tables with sealed secrets, as text. */
async function sealedTables(database: TestDatabase): Promise<string> {
  return JSON.stringify(await database.rowsOf(['directories', 'settings', 'pending_authorizations']))
}

export function resealContract(engine: string, { createDatabase }: StoreUnderTest): void {
  test(`${engine}: secrets are resealed with the new key, batch by batch`, async () => {
    await using database = await createDatabase()
    await underOldKey(database)
    const store = await database.open(createSealing([newKey, oldKey]))
    const batches = [await store.resealed(2), await store.resealed(2), await store.resealed(2), await store.resealed(2)]
    assert.deepEqual(batches, [
      { resealed: 2, left: true },
      { resealed: 2, left: true },
      { resealed: 1, left: false },
      { resealed: 0, left: false },
    ])
    await store.close()
    const text = await sealedTables(database)
    assert.equal(text.includes(`v2.${keyId(oldKey)}.`), false)
    assert.equal(text.split(`v2.${keyId(newKey)}.`).length - 1, 7 + 1 + 1 + 1 + 1)
  })

  test(`${engine}: resealed secrets are unchanged, and the old key is no longer needed`, async () => {
    await using database = await createDatabase()
    const directories = await underOldKey(database)
    const during = await database.open(createSealing([newKey, oldKey]))
    await during.resealed(99)
    await during.close()
    const after = await database.open(createSealing([newKey]))
    for (const directory of directories) assert.deepEqual(await after.getDirectory(directory.id), directory)
    assert.equal(await after.getOrCreateSecret('admin-jwt', 'another'), 'kept')
    assert.equal(await after.takeAuthorization(directories[0]?.id ?? '', 1), 'pending')
    await after.close()
  })

  test(`${engine}: a change of a directory during the resealing is kept`, async () => {
    await using database = await createDatabase()
    const directories = await underOldKey(database)
    const store = await database.open(createSealing([newKey, oldKey]))
    const changed = directories.map((one) => ({ ...one, scimSecret: 'changed', revision: 2 }))
    await Promise.all([store.resealed(2), ...changed.map((one) => store.replaceDirectory(one)), store.resealed(99)])
    while ((await store.resealed(99)).left);
    for (const one of changed) assert.deepEqual(await store.getDirectory(one.id), one)
    await store.close()
    assert.equal((await sealedTables(database)).includes(`v2.${keyId(oldKey)}.`), false)
  })

  test(`${engine}: concurrent changes of a secret are all kept, and none of a missing one is stored`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const letters = ['a', 'b', 'c', 'd']
    const addLetters = () =>
      Promise.all(letters.map((letter) => store.changeSecret('receipts', (secret) => secret + letter)))
    await addLetters()
    assert.equal(await store.getOrCreateSecret('receipts', 'new'), 'new')
    await addLetters()
    assert.equal([...(await store.getOrCreateSecret('receipts', '')).slice(3)].toSorted().join(''), letters.join(''))
    await store.close()
    assert.doesNotMatch(JSON.stringify(await database.rows('settings')), /new/)
  })

  for (const { what, keys } of [
    { what: 'another key', keys: [newKey] },
    { what: 'keys around the right one', keys: [newKey, Buffer.alloc(32, 9), Buffer.alloc(32, 10)] },
  ]) {
    test(`${engine}: a database is not opened with ${what}`, async () => {
      await using database = await createDatabase()
      await underOldKey(database)
      const [first = newKey, ...rest] = keys
      await assert.rejects(database.open(createSealing([first, ...rest])), /key [0-9a-f]{8}, which ENCRYPTION_KEY/)
      const right = await database.open(createSealing([newKey, oldKey]))
      await right.close()
    })
  }
}
