import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { maxListedRawBytes } from '../../../src/directory/abridged.ts'
import type { NamedScope } from '../../../src/directory/directory.ts'
import { firstMembers, manyGroups } from '../../../src/directory/directory-store.ts'
import type { ListPart, ListRow } from '../../../src/directory/list.ts'
import { listStart } from '../../../src/directory/list.ts'
import { resourceOf } from '../../../src/directory/resource.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { fold } from '../../../src/scim/fold.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import { cases } from '../../support/extent.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  delta,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

type List = (part: ListPart) => Promise<ListRow<{ readonly id: string }>[]>

export function listContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: long lists are read in creation order from any position and offset, also after deletions`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { deleteUser, changeMembers } = writesTo(store, directory)
    const names = Array.from({ length: 3300 }, (_, n) => `user-${n}`)
    const users = await addUsers(store, directory, names)
    const { group } = await addGroup(store, directory, 'Everyone', users)
    const gone = users.filter((_, n) => n % 7 === 3 || (n >= 1000 && n < 2100))
    for (const part of parts(gone, 200))
      for (const outcome of await Promise.all(part.map(deleteUser))) committed(outcome)
    const kept = users.filter((user) => !gone.includes(user))
    committed(await changeMembers(group, delta([], kept.slice(0, 5))))
    committed(await changeMembers(group, delta(kept.slice(0, 2))))
    const members = [...kept.slice(5), ...kept.slice(0, 2)]

    assert.equal(await store.countUsers(directory.id), kept.length)
    await sameAsArray((part) => store.listUsers(directory.id, part), kept)
    await sameAsArray((part) => store.listMembers(directory.id, group.id, part), members)
    await sameAsArray((part) => store.listUsers(directory.id, { ...part, withGroups: true }), kept)
    await sameAsArray((part) => store.listMemberIds(directory.id, group.id, part), members)
    const first = await store.listMembers(directory.id, group.id, { from: 0, limit: firstMembers })
    assert.deepEqual(await store.getGroupWithMembers(directory.id, group.id), {
      group: await store.getGroup(directory.id, group.id),
      members: first,
    })
  })

  test(`${engine}: users and groups are listed in the order of their last changes`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob, cem] = await addUsers(store, directory, ['ann', 'bob', 'cem'])
    const [sales, leads] = [await addGroup(store, directory, 'Sales'), await addGroup(store, directory, 'Leads')]
    assert(ann && bob && cem)
    const { replaceUser } = writesTo(store, directory)
    committed(await replaceUser(ann, changedUser(ann, { title: 'CTO' })))
    committed(await writesTo(store, directory, { at: cause.at + 1 }).changeMembers(sales.group, delta([bob])))
    for (const { list, ids } of [
      { list: store.listUsers, ids: [bob, cem, ann].map(({ id }) => id) },
      { list: store.listGroups, ids: [leads, sales].map(({ group }) => group.id) },
    ]) {
      const found = await list(directory.id, { order: 'updated', from: 0, limit: 9 })
      assert.deepEqual(idsOf(found), ids)
      const [, from] = found.map(({ position }) => position)
      assert.ok(from)
      assert.deepEqual(idsOf(await list(directory.id, { order: 'updated', from, limit: 9 })), ids.slice(2))
      const late = { updatedAt: cause.at, sequence: 2 ** 32, id: '' }
      assert.deepEqual(idsOf(await list(directory.id, { order: 'updated', from: late, limit: 9 })), ids.slice(-1))
      const lastFirst = ids.toReversed()
      assert.deepEqual(idsOf(await list(directory.id, { order: 'changed', from: 0, limit: 9 })), lastFirst)
      assert.deepEqual(idsOf(await list(directory.id, { order: 'changed', from, limit: 9 })), ids.slice(0, 1))
    }
  })

  test(`${engine}: the directories of a product are listed with whether they have users or groups, and by last change`, async () => {
    const store = await openStore()
    const product = uuidv7()
    const [first, second, empty] = [
      await addDirectory(store, { product, createdAt: 1 }),
      await addDirectory(store, { product, createdAt: 2 }),
      await addDirectory(store, { product, createdAt: 3 }),
    ]
    await addUsers(store, await addDirectory(store, { product: uuidv7(), createdAt: 2 }), ['ann'])
    await addUsers(store, first, ['ann'])
    await addGroup(store, second, 'Sales')
    const listed = await store.listDirectoriesInScope({ product }, { after: first, limit: 9 })
    assert.deepEqual(
      listed.map(({ id }) => id),
      [second.id, empty.id],
    )
    const filled = async (kind: 'user' | 'group', from: { createdAt: number; id: string }) =>
      (await store.filledDirectories(product, kind, from, 9)).map(({ id, isEmpty }) => [id, !isEmpty])
    assert.deepEqual(await filled('user', { createdAt: 0, id: '' }), [
      [first.id, true],
      [second.id, false],
      [empty.id, false],
    ])
    assert.deepEqual(await filled('group', second), [
      [second.id, true],
      [empty.id, false],
    ])
    const minute = Math.floor(cause.at / 60_000)
    const later = writesTo(store, first, { at: cause.at + 120_000 })
    committed(await later.createUser(someUser({ userName: 'bob' })))
    const changed = async (after: { minute: number; id: string }) =>
      (await store.changedDirectories(product, after, 9)).map((found) => [found.id, found.minute])
    const [early, late] = [
      [second.id, minute],
      [first.id, minute + 2],
    ]
    assert.deepEqual(await changed({ minute: minute - 1, id: '' }), [early, late])
    assert.deepEqual(await changed({ minute, id: second.id }), [late])
  })

  test(`${engine}: every list leaves out the raw of a user or group that is longer than maxListedRawBytes, and nothing else`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, createGroup } = writesTo(store, directory)
    const group = someGroup({ displayName: 'name', externalId: 'x', note: 'x'.repeat(maxListedRawBytes) })
    committed(await createGroup(group))
    const exact = (userName: string, character: string) => {
      const user = someUser({ userName, externalId: 'x', nickName: character })
      const left = maxListedRawBytes - Buffer.byteLength(user.raw)
      const nickName = character + 'a'.repeat(left)
      return someUser({ userName, externalId: 'x', nickName })
    }
    const users = [exact('ascii', 'x'), exact('not-ascii', '語'.repeat(2000))]
    const longer = users.map((user) =>
      someUser({ ...resourceOf(fromJsonText(user.raw)), userName: `${user.userName}+` }),
    )
    for (const user of [...users, ...longer]) committed(await createUser(user))
    const part = { from: 0, limit: 9 }
    const where = [{ attribute: 'externalId', value: 'x' }] as const
    const ofUsers = {
      listUsers: await store.listUsers(directory.id, part),
      pageOfUsers: (await store.pageOfUsers(directory.id, part, true)).rows,
      'with groups': await store.listUsers(directory.id, { ...part, withGroups: true }),
      'by name': await store.listUsers(directory.id, { ...part, order: 'name' }),
      'by last change': await store.listUsers(directory.id, { ...part, order: 'updated' }),
      'by externalId': await store.listUsers(directory.id, { ...part, where }),
    }
    for (const [list, rows] of Object.entries(ofUsers)) {
      const raws = rows.map(({ item }) => item.raw).filter((raw) => raw !== undefined)
      assert.deepEqual({ list, raws, rows: rows.length }, { list, raws: users.map(({ raw }) => raw), rows: 4 })
    }
    const ofGroups = [
      await store.listGroups(directory.id, part),
      (await store.pageOfGroups(directory.id, part, true)).rows,
      await store.listGroups(directory.id, { ...part, order: 'name' }),
      await store.listGroups(directory.id, { ...part, order: 'updated' }),
      await store.listGroups(directory.id, { ...part, where }),
    ]
    assert.deepEqual(
      ofGroups.map((rows) => rows.map(({ item: { id, raw } }) => ({ id, raw }))),
      ofGroups.map(() => [{ id: group.id, raw: undefined }]),
    )
  })

  test(`${engine}: users are listed with the groups of those who are in few, as their page is`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, createGroup, changeMembers } = writesTo(store, directory)
    const groups = Array.from({ length: manyGroups }, (_, n) => someGroup({ displayName: `group-${n}` }))
    const users = Array.from({ length: 5 }, (_, n) => someUser({ userName: `user-${n}`, active: n % 2 === 0 }))
    for (const user of users) committed(await createUser(user))
    for (const group of groups) committed(await createGroup(group))
    for (const [n, group] of groups.entries())
      committed(await changeMembers(group, delta(users.slice(0, n < 2 ? 3 : 1))))
    const all = { from: 0, limit: 100, withGroups: true }
    const listed = await store.listUsers(directory.id, all)
    const groupsOfEach = listed.map(({ item }) => item.groups?.length)
    assert.deepEqual(groupsOfEach, [undefined, 2, 2, 0, 0], 'the first is in many groups, which are not listed')
    for (const from of [0, 2, users.length, listed[1]?.position ?? assert.fail()]) {
      for (const limit of [1, 3, 9]) {
        const { rows } = await store.pageOfUsers(directory.id, { from, limit }, true)
        assert.deepEqual(await store.listUsers(directory.id, { from, limit, withGroups: true }), rows)
      }
    }
    assert.deepEqual(await store.listUsers('\0', all), [])
    assert.deepEqual(await store.listGroups('unknown', { from: 0, limit: 9 }), [])
  })

  test(`${engine}: a list within a scope has rows only of a directory that the scope contains`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann'])
    const { group } = await addGroup(store, directory, 'Sales')
    assert(ann)
    const { id: directoryId, tenant, product } = directory
    const listsWithin = async (within: NamedScope) => {
      const part = { from: 0, limit: 9, within }
      return [
        idsOf(await store.listUsers(within.directoryId, part)),
        idsOf(await store.listUsers(within.directoryId, { ...part, withGroups: true })),
        idsOf(await store.listUsers(within.directoryId, { ...part, order: 'name' })),
        idsOf(await store.listUsers(within.directoryId, { ...part, order: 'updated' })),
        idsOf(await store.listUsers(within.directoryId, { ...part, where: [{ attribute: 'userName', value: 'ann' }] })),
        idsOf(await store.listUsers(within.directoryId, { ...part, where: [{ attribute: 'active', value: true }] })),
        idsOf(await store.listGroups(within.directoryId, part)),
        idsOf(await store.listGroups(within.directoryId, { ...part, order: 'updated' })),
        idsOf(
          await store.listGroups(within.directoryId, {
            ...part,
            where: [{ attribute: 'displayName', value: 'Sales' }],
          }),
        ),
      ]
    }
    const all = [...Array.from({ length: 6 }, () => [ann.id]), ...Array.from({ length: 3 }, () => [group.id])]
    const none = all.map(() => [])
    for (const scope of [{}, { tenant }, { product }, { tenant, product }])
      assert.deepEqual(await listsWithin({ directoryId, ...scope }), all)
    for (const scope of [{ tenant: 'other' }, { product: 'other' }, { tenant: 'other', product }, { tenant: '\0' }])
      assert.deepEqual(await listsWithin({ directoryId, ...scope }), none)
    await store.deleteDirectory(directoryId, cause.at)
    assert.deepEqual(await listsWithin({ directoryId }), none)
  })

  test(`${engine}: after random creations and deletions, lists equal an array with the same changes`, async () => {
    const store = await openStore()
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant('add' as const) },
      { weight: 1, arbitrary: fc.nat({ max: 30 }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat({ max: 40 }), async (steps, offset) => {
        const directory = await addDirectory(store)
        const { createGroup, deleteGroup } = writesTo(store, directory)
        const model: { readonly id: string; readonly version: number }[] = []
        for (const [n, one] of steps.entries()) {
          const group = one === 'add' ? someGroup({ displayName: `${n}` }) : model[one]
          if (group === undefined) continue
          if (one === 'add') committed(await createGroup(someGroupLike(group)))
          else committed(await deleteGroup(group))
          if (one === 'add') model.push(group)
          else model.splice(one, 1)
        }
        const found = await store.listGroups(directory.id, { from: offset, limit: 7 })
        assert.deepEqual(
          idsOf(found),
          model.slice(offset, offset + 7).map(({ id }) => id),
        )
        assert.equal(await store.countGroups(directory.id), model.length)
      }),
      { numRuns: cases(25, 8) },
    )
  })

  test(`${engine}: users are read by folded name in both directions, from any position and offset`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const names = Array.from({ length: 250 }, (_, n) => `${n % 2 === 0 ? 'u' : 'U'}ser-${(n * 7919) % 250}-é`)
    const users = await addUsers(store, directory, names)
    const ordered = inNameOrder(users, ({ userName }) => userName)
    await sameByName((part) => store.listUsers(directory.id, { ...part, order: 'name' }), ordered)
    await sameByName(
      (part) => store.listUsers(directory.id, { ...part, order: 'name-descending' }),
      ordered.toReversed(),
    )
  })

  test(`${engine}: groups of the same name stay in creation order in both directions`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createGroup } = writesTo(store, directory)
    const groups = ['b', 'A', 'B', 'c', 'a', 'b', 'a'].map((displayName) => someGroup({ displayName }))
    for (const group of groups) committed(await createGroup(group))
    const list =
      (order: 'name' | 'name-descending'): List =>
      (part) =>
        store.listGroups(directory.id, { ...part, order })
    const [first] = await store.listGroups(directory.id, { order: 'name', from: 0, limit: 1 })
    assert.deepEqual([first?.item.name, first?.position.name], ['A', 'a'])
    const [a, b, c] = ['a', 'b', 'c'].map((name) => groups.filter((group) => group.name.toLowerCase() === name))
    await sameByName(
      list('name'),
      [a, b, c].flatMap((same = []) => same),
    )
    await sameByName(
      list('name-descending'),
      [c, b, a].flatMap((same = []) => same),
    )
  })

  test(`${engine}: reading a growing list skips no row and repeats none`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, ['c', 'b', 'a'])
    const read: string[] = []
    let from = listStart
    for (let [next] = await store.listUsers(directory.id, { from, limit: 1 }); next !== undefined; ) {
      read.push(next.item.id)
      from = next.position
      if (read.length === 2) users.push(...(await addUsers(store, directory, ['0'])))
      const following: ListRow<{ id: string }>[] = await store.listUsers(directory.id, { from, limit: 1 })
      next = following[0] as typeof next | undefined
    }
    assert.deepEqual(
      read,
      users.map(({ id }) => id),
    )
  })
}

/** Compares a list with the expected one: as a whole, by pages, and at random offsets. */
async function sameAsArray(list: List, expected: readonly Pick<IndexedUser, 'id'>[]): Promise<void> {
  const ids = expected.map(({ id }) => id)
  const read: string[] = []
  for (let from: ListPart['from'] = listStart; ; ) {
    const part = await list({ from, limit: 400 })
    const last = part.at(-1)
    if (last === undefined) break
    read.push(...idsOf(part))
    from = last.position
  }
  assert.deepEqual(read, ids)
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: ids.length + 5 }), fc.integer({ min: 1, max: 50 }), async (offset, limit) => {
      assert.deepEqual(idsOf(await list({ from: offset, limit })), ids.slice(offset, offset + limit))
    }),
    {
      numRuns: cases(60, 20),
      examples: [
        [0, 1],
        [ids.length - 1, 5],
        [ids.length, 5],
        [1023, 3],
        [1024, 3],
      ],
    },
  )
}

function inNameOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const named = items.map((item) => ({ item, name: fold(nameOf(item)) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ item }) => item)
}

/** Compares a list in the order of names with the expected one: by pages, and at every offset. */
async function sameByName(list: List, expected: readonly { readonly id: string }[]): Promise<void> {
  const ids = expected.map(({ id }) => id)
  const read: string[] = []
  for (let from: ListPart['from'] = 0; ; ) {
    const part = await list({ from, limit: 3 })
    const last = part.at(-1)
    if (last === undefined) break
    read.push(...idsOf(part))
    from = last.position
  }
  assert.deepEqual(read, ids)
  for (const offset of [0, 1, 5, ids.length - 1, ids.length, ids.length + 3]) {
    assert.deepEqual(idsOf(await list({ from: offset, limit: 4 })), ids.slice(offset, offset + 4), `offset ${offset}`)
  }
}

function idsOf(part: readonly ListRow<{ readonly id: string }>[]): string[] {
  return part.map(({ item }) => item.id)
}

function* parts<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let n = 0; n < items.length; n += size) yield items.slice(n, n + size)
}

function someGroupLike(group: { readonly id: string; readonly version: number }) {
  return { ...someGroup({ displayName: 'x' }), ...group }
}
