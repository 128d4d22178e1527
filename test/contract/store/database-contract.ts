import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealing, keyId } from '../../../src/store/sealing.ts'
import type { StoreUnderTest } from './database.ts'
import { someKey, tables } from './database.ts'
import { addDirectory, addGroup, addUsers, cause, someUser, userEvent, writesTo } from './samples.ts'

const secrets = {
  scim: 'scim-secret-in-plain-text',
  previous: 'previous-secret-in-plain-text',
  endpoint: 'whsec_in_plain_text',
  previousEndpoint: 'whsec_before_in_plain_text',
  access: 'access-token-in-plain-text',
  refresh: 'refresh-token-in-plain-text',
  apiKey: 'api-key-in-plain-text',
}

const withSecrets = {
  scimSecret: secrets.scim,
  previousScimSecret: { secret: secrets.previous, expiresAt: 1 },
  endpoint: {
    url: 'https://acme.example/',
    secret: secrets.endpoint,
    previousSecret: { secret: secrets.previousEndpoint, expiresAt: 1 },
  },
  google: { domain: 'acme.example', accessToken: secrets.access, refreshToken: secrets.refresh },
}

export function databaseContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: all data is still there when the database is opened again`, async () => {
    await using database = await createDatabase()
    const first = await database.open()
    const directory = await addDirectory(first, withSecrets)
    const users = await addUsers(first, directory, ['ann', 'bob'])
    const { group } = await addGroup(first, directory, 'Sales', users)
    const events = await first.eventsAfter(directory.id, 0, 99)
    await first.close()
    await first.close()
    const second = await database.open()
    assert.deepEqual(await second.getDirectory(directory.id), directory)
    assert.deepEqual(await second.getGroup(directory.id, group.id), group)
    assert.equal(await second.countUsers(directory.id), 2)
    assert.equal((await second.listMembers(directory.id, group.id, { from: 0, limit: 9 })).length, 2)
    assert.deepEqual(await second.eventsAfter(directory.id, 0, 99), events)
    await second.close()
  })

  test(`${engine}: writes that are queued when the store closes are on disk`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const directory = await addDirectory(store)
    const writes = addUsers(
      store,
      directory,
      Array.from({ length: 300 }, (_, n) => `user-${n}`),
    )
    await store.close()
    await writes
    assert.equal((await database.rows('users')).length, 300)
    await assert.rejects(writesTo(store, directory).createUser(someUser({ userName: 'late' })))
    await assert.rejects(store.getDirectory(directory.id))
  })

  test(`${engine}: no secret is on disk in plain text`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    await addDirectory(store, withSecrets)
    await store.getOrCreateSecret('first-api-key', secrets.apiKey)
    await store.close()
    const text = JSON.stringify(await database.rowsOf(tables))
    assert.ok(text.includes(`v2.${keyId(someKey)}.`))
    for (const secret of Object.values(secrets)) assert.equal(text.includes(secret), false, secret)
  })

  test(`${engine}: a new key encrypts while the old one still decrypts`, async () => {
    await using database = await createDatabase()
    const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const before = await database.open(createSealing([oldKey]))
    const directory = await addDirectory(before, withSecrets)
    await before.close()

    const during = await database.open(createSealing([newKey, oldKey]))
    assert.deepEqual(await during.getDirectory(directory.id), directory)
    await during.replaceDirectory({ ...directory, revision: 2 })
    await during.close()

    const after = await database.open(createSealing([newKey]))
    assert.deepEqual(await after.getDirectory(directory.id), { ...directory, revision: 2 })
    await after.close()

    await assert.rejects(database.open(createSealing([oldKey])), /ENCRYPTION_KEY/)
  })

  test(`${engine}: does not open a database that a newer version migrated`, async () => {
    await using database = await createDatabase()
    await (await database.open()).close()
    await database.pretendNewer()
    await assert.rejects(database.open(), /newer Rollcall \(schema 99/)
  })

  test(`${engine}: a secret of the service itself is kept`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const keys = await Promise.all(['one', 'two', 'three'].map((key) => store.getOrCreateSecret('first-api-key', key)))
    assert.equal(new Set(keys).size, 1)
    await store.close()
    const again = await database.open()
    assert.equal(await again.getOrCreateSecret('first-api-key', 'four'), keys[0])
    assert.equal(await again.getOrCreateSecret('admin-jwt', 'five'), 'five', 'each secret is stored separately')
    await again.close()
  })

  test(`${engine}: responds to a ping`, async () => {
    const store = await openStore()
    await store.ping()
  })

  test(`${engine}: a rejected write leaves no trace`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    const snapshot = async () => {
      await store.close()
      return database.rowsOf(tables)
    }
    const same = someUser({ userName: 'ANN', emails: [{ value: 'new@x.example' }] })
    assert.equal(await store.createUser(directory, same, userEvent('user.created', same), cause), 'user-name-taken')
    const stale = { ...ann, version: 8 }
    assert.equal(await writesTo(store, directory).deleteUser(stale), 'version-mismatch')
    const [directories, states, counts, users, emails, , , events] = await snapshot()
    assert.equal(directories?.length, 1)
    assert.equal(states?.[0]?.['last_sequence'], 1)
    assert.equal(counts?.length, 1)
    assert.equal(users?.length, 1)
    assert.equal(emails?.length, 1)
    assert.equal(events?.length, 1)
  })
}
