import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  eventsOf,
  someUser,
  typesOf,
  userEvent,
  writesTo,
} from './samples.ts'

export function userContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a user is read as it was stored, and has its event`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const {
      emails: _,
      searched,
      ...user
    } = someUser({
      userName: 'Bärbel "\\ \' {},\n\u{1F600}',
      externalId: 'ext-1',
      displayName: 'Bärbel',
      name: { givenName: 'Bärbel', familyName: 'NULL' },
      emails: [{ value: 'B@x.example', primary: true }],
      active: false,
      nickName: 'a \0 NUL',
    })
    const event = userEvent('user.created', { ...user, emails: [], searched })
    const { events } = committed(
      await store.createUser(directory, { ...user, emails: ['b@x.example'], searched }, event, cause),
    )
    assert.deepEqual(await store.getUser(directory.id, user.id), user)
    const shown = await store.getUserWithGroups(directory.id, user.id)
    assert.deepEqual({ ...user, ...shown }, { ...user, groups: [] })
    assert.equal(shown?.id, user.id)
    assert.equal(await store.getUser(directory.id, 'nobody'), undefined)
    assert.equal(await store.getUserWithGroups(directory.id, 'nobody \0'), undefined)
    const stored = await store.eventsAfter(directory.id, 0, 10)
    assert.deepEqual(stored, [{ ...events[0], changes: undefined }])
    const [{ id, ...rest } = { id: '' }] = stored
    assert.match(id, /^[0-9a-f-]{36}$/)
    const { at: createdAt, requestId } = cause
    const absent = { changes: undefined, traceContext: undefined }
    assert.deepEqual(rest, { ...event, sequence: 1, createdAt, requestId, ...absent })
  })

  test(`${engine}: a name with a NUL character is stored`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const user = someUser({ userName: 'x', name: { givenName: 'A\0B', familyName: 'C\0' } })
    committed(await writesTo(store, directory).createUser(user))
    assert.equal((await store.getUser(directory.id, user.id))?.raw, user.raw)
  })

  test(`${engine}: a userName is unique in any letter case within its directory`, async () => {
    const store = await openStore()
    const [one, other] = [await addDirectory(store), await addDirectory(store)]
    const { createUser } = writesTo(store, one)
    committed(await createUser(someUser({ userName: 'BJensen' })))
    assert.equal(await createUser(someUser({ userName: 'bjENSEN' })), 'user-name-taken')
    committed(await createUser(someUser({ userName: 'ÄRGER' })))
    assert.equal(await createUser(someUser({ userName: 'a\u0308rger' })), 'user-name-taken')
    committed(await writesTo(store, other).createUser(someUser({ userName: 'bjensen' })))
    assert.equal((await eventsOf(store, one)).length, 2)
    assert.equal(await store.countUsers(one.id), 2)
  })

  test(`${engine}: of concurrent users with the same name, exactly one is created`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser } = writesTo(store, directory)
    const names = Array.from({ length: 32 }, (_, n) => (n % 2 === 0 ? 'bjensen' : 'BJENSEN'))
    const outcomes = await Promise.all(names.map((userName) => createUser(someUser({ userName }))))
    assert.equal(outcomes.filter((outcome) => outcome === 'user-name-taken').length, 31)
    assert.equal((await eventsOf(store, directory)).length, 1)
    assert.equal(await store.countUsers(directory.id), 1)
  })

  test(`${engine}: of concurrent users, those with taken names are rejected and the others created`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, replaceUser } = writesTo(store, directory)
    const [ann, bob, cid] = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    assert.ok(ann && bob && cid)
    const names = ['dan', 'ANN', 'eve', 'Bob', 'DAN', 'fay']
    const created = await Promise.all(names.map((userName) => createUser(someUser({ userName }))))
    const expected = ['object', 'user-name-taken', 'object', 'user-name-taken', 'user-name-taken', 'object']
    const kindOf = (outcome: object | string) => (typeof outcome === 'string' ? outcome : 'object')
    assert.deepEqual(created.map(kindOf), expected)
    const renamed = await Promise.all([
      replaceUser(ann, changedUser(ann, { userName: 'Eve' })),
      replaceUser(bob, changedUser(bob, { userName: 'BOB' })),
      replaceUser(cid, changedUser(cid, { userName: 'gus', active: false })),
    ])
    assert.deepEqual(renamed.map(kindOf), ['user-name-taken', 'object', 'object'])
    assert.equal((await eventsOf(store, directory)).length, 3 + 3 + 2)
    assert.equal(await store.countUsers(directory.id), 6)
  })

  test(`${engine}: a user is replaced only at its stored version`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { replaceUser } = writesTo(store, directory)
    const [user, taken] = await addUsers(store, directory, ['bjensen', 'taken'])
    assert.ok(user && taken)
    const after = changedUser(user, {
      userName: 'BJensen2',
      active: false,
      externalId: 'e',
      emails: [{ value: 'N@x' }],
    })
    const { events } = committed(await replaceUser(user, after))
    assert.deepEqual(typesOf(events), ['user.updated'])
    const { emails: _, searched: _searched, ...stored } = after
    assert.deepEqual(await store.getUser(directory.id, user.id), stored)
    assert.equal(await replaceUser(user, after), 'version-mismatch')
    assert.equal(await replaceUser(after, changedUser(after, { userName: 'TAKEN' })), 'user-name-taken')
    const nobody = someUser({ userName: 'nobody' })
    assert.equal(await replaceUser(nobody, changedUser(nobody, {})), 'version-mismatch')
    committed(await replaceUser(after, changedUser(after, { userName: 'bjENSEN2' })))
    committed(await writesTo(store, directory).createUser(someUser({ userName: 'bjensen' })))
    assert.equal((await eventsOf(store, directory)).length, 5)
  })

  test(`${engine}: a user is found by the attributes that a change has changed, and by the others`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, replaceUser } = writesTo(store, directory)
    let user = someUser({ userName: 'ann', externalId: 'ext-1', active: true })
    committed(await createUser(user))
    for (const change of [{ title: 'x' }, { externalId: 'ext-2' }, { active: false }, { userName: 'bob' }]) {
      const after = changedUser(user, change)
      committed(await replaceUser(user, after))
      user = after
      const { userName, externalId = '', active } = user
      const equalities = [
        { attribute: 'userName', value: userName },
        { attribute: 'externalId', value: externalId },
        { attribute: 'active', value: active },
      ] as const
      for (const equality of equalities) {
        const [found, ...others] = await store.listUsers(directory.id, { where: [equality], from: 0, limit: 2 })
        assert.deepEqual([found?.item.raw, others], [user.raw, []])
      }
    }
  })

  test(`${engine}: of concurrent changes to one version of a user, exactly one is applied`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [user] = await addUsers(store, directory, ['bjensen'])
    assert.ok(user)
    const changes = Array.from({ length: 20 }, (_, n) => changedUser(user, { title: `title ${n}` }))
    const outcomes = await Promise.all(changes.map((after) => writesTo(store, directory).replaceUser(user, after)))
    const won = outcomes.findIndex((outcome) => typeof outcome === 'object')
    assert.equal(outcomes.filter((outcome) => outcome === 'version-mismatch').length, 19)
    assert.equal((await store.getUser(directory.id, user.id))?.raw, changes[won]?.raw)
    assert.equal((await eventsOf(store, directory)).length, 2)
  })

  test(`${engine}: of users that are renamed to the same name concurrently, one gets it and the others stay unchanged`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { replaceUser } = writesTo(store, directory)
    const users = await addUsers(store, directory, ['a', 'b', 'c', 'd'])
    const names = ['Same', 'same', 'SAME', 'different']
    const outcomes = await Promise.all(
      users.map((user, n) => replaceUser(user, changedUser(user, { userName: names[n] ?? '' }))),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'user-name-taken').length, 2)
    assert.equal(typeof outcomes[3], 'object')
    assert.equal((await eventsOf(store, directory)).length, 6)
  })

  test(`${engine}: a deleted user is removed from its groups, the lists and the indexes`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { deleteUser, createUser } = writesTo(store, directory)
    const [user, stays, third] = await addUsers(store, directory, ['gone', 'stays', 'third'])
    assert.ok(user && stays && third)
    const { group: first } = await addGroup(store, directory, 'first', [user, stays])
    const { group: second } = await addGroup(store, directory, 'second', [user])
    const { group: untouched } = await addGroup(store, directory, 'untouched', [stays])
    const before = (await eventsOf(store, directory)).length

    assert.equal(await deleteUser({ ...user, version: 9 }), 'version-mismatch')
    const [{ events }, again] = await Promise.all([deleteUser(user).then(committed), deleteUser(user)])
    assert.equal(again, 'version-mismatch')
    assert.deepEqual(typesOf(events), ['user.deleted'])
    assert.equal((await eventsOf(store, directory)).length, before + 1)

    assert.equal(await store.getUser(directory.id, user.id), undefined)
    assert.equal(await store.countUsers(directory.id), 2)
    const members = await store.listMembers(directory.id, first.id, { from: 0, limit: 9 })
    assert.deepEqual(
      members.map(({ item }) => item.id),
      [stays.id],
    )
    assert.deepEqual(await store.listMembers(directory.id, second.id, { from: 0, limit: 9 }), [])
    const versions = await Promise.all([first, second, untouched].map(({ id }) => store.getGroup(directory.id, id)))
    assert.deepEqual(
      versions.map((group) => group?.version),
      [2, 2, 1],
    )
    const found = await store.listUsers(directory.id, {
      where: [{ attribute: 'emails', value: 'gone@acme.example' }],
      from: 0,
      limit: 9,
    })
    assert.deepEqual(found, [])
    committed(await createUser(someUser({ userName: 'GONE' })))
    await Promise.all([stays, third].map(async (one) => committed(await deleteUser(one))))
    assert.equal(await store.countUsers(directory.id), 1)
    assert.deepEqual((await store.getGroup(directory.id, first.id))?.version, 3)
  })
}
