import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import { someAudit } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { closeWhenPurged, openAlone, tables } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  changedGroup,
  changedUser,
  delta,
  someDirectory,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

export function directoryContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a directory is read as it was stored`, async () => {
    const store = await openStore()
    const plain = await addDirectory(store)
    const full = await addDirectory(store, {
      previousScimSecret: { secret: 'the one before', expiresAt: 5_000_000_000_000 },
      endpoint: {
        url: 'https://acme.example/events',
        secret: 'whsec_x',
        previousSecret: { secret: 'whsec_before', expiresAt: 5_000_000_000_001 },
      },
      directoryType: 'extdir',
      google: { domain: 'acme.example', accessToken: 'access', refreshToken: undefined },
      logWebhookEvents: true,
      logScimRequests: true,
      uniqueGroupNames: true,
      scimProfile: 'strict',
      deactivated: true,
      revision: 7,
    })
    assert.deepEqual(await store.getDirectory(plain.id), plain)
    const { google, ...rest } = (await store.getDirectory(full.id)) ?? plain
    assert.deepEqual({ ...rest, google: { refreshToken: undefined, ...google } }, full)
    assert.equal(await store.getDirectory('nobody'), undefined)
    assert.equal(await store.getDirectory('with \0 NUL'), undefined)
    await assert.rejects(store.createDirectory(plain), 'its id is taken')
  })

  test(`${engine}: a tenant cannot exceed the number of directories for a product, however many are created at once`, async () => {
    const store = await openStore()
    const create = (given: Partial<Directory> = {}) =>
      store.createDirectory(someDirectory({ tenant: 'full', ...given }), someAudit(), 3)
    const first = someDirectory({ tenant: 'full' })
    await store.createDirectory(first, someAudit(), 3)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => create()))
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 2)
    assert.equal(outcomes.filter((outcome) => outcome === 'too-many-directories').length, 8)
    assert.equal(await create({ product: 'another' }), 'created')
    assert.equal((await store.listDirectories({ tenant: 'full' }, { limit: 20 })).length, 4)
    await store.deleteDirectory(first.id, 0)
    assert.equal(await create(), 'created', 'deleted directories do not count')
    assert.equal(await create(), 'too-many-directories')
    assert.equal(await store.createDirectory(someDirectory({ tenant: 'full' }), someAudit(), 0), 'created', 'unlimited')
  })

  test(`${engine}: the previous secret of an endpoint is stored and removed`, async () => {
    const store = await openStore()
    const endpoint = { url: 'https://acme.example/events', secret: 'whsec_x', previousSecret: undefined }
    const directory = await addDirectory(store, { endpoint })
    const previousSecret = { secret: 'whsec_x', expiresAt: 5_000_000_000_001 }
    for (const [index, changed] of [
      { ...endpoint, secret: 'whsec_y', previousSecret },
      { ...endpoint, secret: 'whsec_y' },
      undefined,
    ].entries()) {
      const after = { ...directory, endpoint: changed, revision: index + 2 }
      assert.equal(await store.replaceDirectory(after), 'replaced')
      assert.deepEqual(await store.getDirectory(directory.id), after)
    }
  })

  test(`${engine}: directories are found by the beginning of their name or tenant`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const made: Directory[] = []
    for (const [name, tenant, product, createdAt] of [
      ['Acme: Okta', 'acme', 'crm', 3],
      ['ACME Entra', 'acme-eu', 'crm', 1],
      ['Other', 'Acme', 'hr', 2],
      ['Äther', 'z', 'hr', 4],
      ['Acme: deleted', 'acme', 'crm', 5],
    ] as const) {
      made.push(await addDirectory(store, { name, tenant, product, createdAt }))
    }
    await store.deleteDirectory(made[4]?.id ?? '', 0)
    const find = async (prefix: string, scope: object = {}, limit = 100) =>
      (await store.findDirectories(scope, prefix, limit)).map(({ id }) => made.findIndex((d) => d.id === id))
    assert.deepEqual(await find('acMe'), [1, 2, 0])
    assert.deepEqual(await find('acme', {}, 2), [1, 2])
    assert.deepEqual(await find('acme', { product: 'crm' }), [1, 0])
    assert.deepEqual(await find('acme', { tenant: 'acme' }), [0])
    assert.deepEqual(await find('Äth'), [3])
    for (const prefix of ['cme', 'acme%', 'acme: oktaa', '\u{10ffff}', 'with \0 NUL'])
      assert.deepEqual(await find(prefix), [])
  })

  test(`${engine}: directories are listed by scope, in creation order`, async () => {
    await using opened = await openAlone(createDatabase)
    const { store } = opened
    const made: Directory[] = []
    for (const [tenant, product, createdAt] of [
      ['acme', 'crm', 3],
      ['acme', 'crm', 1],
      ['acme', 'erp', 2],
      ['other', 'crm', 2],
      ['acme', 'crm', 3],
    ] as const) {
      made.push(await addDirectory(store, { tenant, product, createdAt }))
    }
    const list = async (scope: object, part: object = {}) =>
      (await store.listDirectories(scope, { limit: 100, ...part })).map(({ id }) => made.findIndex((d) => d.id === id))
    assert.deepEqual(await list({}), [1, 2, 3, 0, 4])
    assert.deepEqual(await list({ tenant: 'acme', product: 'crm' }), [1, 0, 4])
    assert.deepEqual(await list({ product: 'crm' }), [1, 3, 0, 4])
    assert.deepEqual(await list({ tenant: 'acme' }, { offset: 1, limit: 2 }), [2, 0])
    assert.deepEqual(await list({}, { after: made[3], limit: 1 }), [0])
    assert.deepEqual(await list({ tenant: 'other', directoryId: made[3]?.id }), [3])
    assert.deepEqual(await list({ tenant: 'acme', directoryId: made[3]?.id }), [])
    assert.deepEqual(await list({ tenant: 'ACME' }), [])
    const count = async (scope: object) =>
      (await store.countHealth(scope)).reduce((sum, { directories }) => sum + directories, 0)
    for (const scope of [{}, { tenant: 'acme', product: 'crm' }, { product: 'crm' }, { tenant: 'ACME' }])
      assert.equal(await count(scope), (await list(scope)).length)
    assert.equal(await count({ tenant: 'other', directoryId: made[3]?.id ?? '' }), 1)
  })

  test(`${engine}: of two changes to one revision of a directory, the second is rejected`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const changes = ['one', 'two'].map((name) => ({ ...directory, name, revision: 2 }))
    const outcomes = await Promise.all(changes.map((change) => store.replaceDirectory(change)))
    assert.deepEqual(outcomes.toSorted(), ['directory-changed', 'replaced'])
    const stored = await store.getDirectory(directory.id)
    assert.deepEqual(stored, changes[outcomes.indexOf('replaced')])
    assert.equal(await store.replaceDirectory(someDirectory({ revision: 2 })), 'directory-changed')
  })

  test(`${engine}: of a concurrent change of the provider and creation of a user, one happens, and afterwards the directory had events`, async () => {
    const store = await openStore()
    for (let round = 0; round < 10; round += 1) {
      const directory = await addDirectory(store)
      const changed = { ...directory, directoryType: 'onelogin-scim-v2', scimSecret: 'new', revision: 2 } as const
      const [created, replaced] = await Promise.all([
        writesTo(store, directory).createUser(someUser({ userName: 'bjensen' })),
        store.replaceDirectory(changed, someAudit(), { onlyWithoutEvents: true }),
      ])
      const isCreated = typeof created === 'object'
      assert.equal(replaced, isCreated ? 'directory-changed' : 'replaced')
      assert.equal(await store.hadEvents(directory.id), isCreated)
      assert.deepEqual(await store.getDirectory(directory.id), isCreated ? directory : changed)
    }
    assert.equal(await store.hadEvents('nobody'), false)
  })

  test(`${engine}: the type of a directory with events can be changed without the condition`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await addUsers(store, directory, ['bjensen'])
    const changed = { ...directory, directoryType: 'onelogin-scim-v2', revision: 2 } as const
    assert.equal(await store.replaceDirectory(changed, undefined, { onlyWithoutEvents: true }), 'directory-changed')
    assert.equal(await store.replaceDirectory(changed), 'replaced')
    assert.deepEqual(await store.getDirectory(directory.id), changed)
  })

  for (const { how, change } of [
    { how: 'changed', change: { name: 'another' } },
    { how: 'deactivated', change: { deactivated: true } },
    { how: 'deleted', change: undefined },
  ]) {
    test(`${engine}: a write that was authorized before the directory was ${how} is rejected`, async () => {
      const store = await openStore()
      const directory = await addDirectory(store)
      const [user] = await addUsers(store, directory, ['bjensen'])
      const { group } = await addGroup(store, directory, 'Sales')
      assert.ok(user)
      if (change === undefined) assert.equal(await store.deleteDirectory(directory.id, 0), true)
      else assert.equal(await store.replaceDirectory({ ...directory, ...change, revision: 2 }), 'replaced')

      const writes = writesTo(store, directory)
      const outcomes = await Promise.all([
        writes.createUser(someUser({ userName: 'new' })),
        writes.replaceUser(user, changedUser(user, { title: 'x' })),
        writes.deleteUser(user),
        writes.createGroup(someGroup({ displayName: 'new' })),
        writes.replaceGroup(group, changedGroup(group, { displayName: 'x' })),
        writes.changeMembers(group, delta([user])),
        writes.deleteGroup(group),
      ])
      assert.deepEqual(new Set(outcomes), new Set(['directory-changed']))
      if (change === undefined) return
      assert.equal((await store.eventsAfter(directory.id, 2, 10)).length, 0)
      const { createUser } = writesTo(store, { ...directory, revision: 2 })
      assert.equal(typeof (await createUser(someUser({ userName: 'new' }))), 'object')
    })
  }

  test(`${engine}: a deleted directory is hidden immediately, and all its rows are purged`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    const endpoint = { url: 'https://acme.example/', secret: 'whsec_x', previousSecret: undefined }
    const [kept, gone] = [await addDirectory(store, { endpoint }), await addDirectory(store, { endpoint })]
    for (const directory of [kept, gone]) {
      const names = Array.from({ length: 700 }, (_, n) => `user-${n}`)
      const users = await addUsers(store, directory, names)
      await addGroup(store, directory, 'Everyone', users)
      assert.equal(
        await store.changeStream(directory.id, 'endpoint', { apply: (state) => state, endsLease: true }),
        true,
      )
      assert.equal(await store.requestReplay(directory.id, 'endpoint', 1, 1), true)
    }
    assert.equal(await store.deleteDirectory(gone.id, 0), true)
    assert.equal(await store.deleteDirectory(gone.id, 0), false)
    assert.equal(await store.deleteDirectory('nobody', 0), false)
    assert.equal(await store.getDirectory(gone.id), undefined)
    assert.deepEqual(
      (await store.listDirectories({}, { limit: 9 })).map(({ id }) => id),
      [kept.id],
    )
    assert.deepEqual((await store.directoriesDue('endpoint', 'me', 0, '', 9)).directories, [
      { id: kept.id, tenant: kept.tenant },
    ])
    assert.equal(await store.replaceDirectory({ ...gone, revision: 2 }), 'directory-changed')

    await closeWhenPurged(database, store, gone.id)
    const rows = await database.rowsOf(tables)
    assert.deepEqual(
      tables.filter((_, index) => JSON.stringify(rows[index]).includes(gone.id)),
      [],
    )
    store = await database.open()
    assert.equal(await store.countUsers(kept.id), 700)
    assert.equal((await store.eventsAfter(kept.id, 0, 2000)).length, 1401)
    await store.close()
  })
}
