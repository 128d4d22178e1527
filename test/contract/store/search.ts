import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory, DirectoryScope } from '../../../src/directory/directory.ts'
import type { SearchedType, SearchHit, SearchPosition } from '../../../src/directory/search-store.ts'
import { searchedTypes } from '../../../src/directory/search-store.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addUsers,
  changedGroup,
  changedUser,
  committed,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

export function searchContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a user is found by the beginning of a word, userName or address, or by its id or externalId, and only once`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { product: `find-${engine}` })
    const maya = someUser({
      ...{ userName: 'MChen', externalId: '00u7', displayName: 'Dr. Maya  Chen-Ortiz' },
      name: { givenName: 'Maya', familyName: 'Chen-Ortiz' },
      emails: [{ value: 'maya@x.example' }, { value: 'boss@y.example' }],
    })
    committed(await writesTo(store, directory).createUser(maya))
    await addUsers(store, directory, ['someone-else'])
    const { product } = directory
    const beginnings = [
      'm',
      'MAYA',
      'maya c',
      'maya chen-ortiz',
      'chen',
      'Ortiz',
      'dr',
      'dr. maya chen',
      'chen-ortiz, m',
      'mch',
      'boss@',
    ]
    for (const text of [...beginnings, '00u7', maya.id, ' Maya   Chen ']) {
      assert.deepEqual(await idsOf(store, { product }, text), [maya.id], text)
    }
    const ofOthers = [
      'aya',
      'hen',
      'x.example',
      'maya@x.examplee',
      '%',
      '_',
      '00u',
      '00U7',
      maya.id.slice(0, 35),
      '00u7\0',
    ]
    for (const text of ofOthers) {
      assert.deepEqual(await idsOf(store, { product }, text), [], text)
    }
    const { hits } = await store.search({ product }, 'boss', { types: searchedTypes, limit: 5 })
    assert.deepEqual(hits.map(withoutPosition), [
      {
        ...{
          type: 'user',
          id: maya.id,
          name: 'Maya Chen-Ortiz',
          email: 'maya@x.example',
          userName: 'MChen',
          active: true,
        },
        ...{ directoryId: directory.id, directoryName: directory.name, tenant: directory.tenant, product },
      },
    ] satisfies Omit<SearchHit, 'position'>[])
  })

  test(`${engine}: changes and deletions of users and groups change what is found`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { product: `change-${engine}` })
    const { product } = directory
    const write = writesTo(store, directory)
    const found = (text: string) => idsOf(store, { product }, text)
    const ann = someUser({ userName: 'ann', name: { givenName: 'Ann', familyName: 'Bell' } })
    const law = someGroup({ displayName: 'Law Office', externalId: 'g-law' })
    committed(await write.createUser(ann))
    committed(await write.createGroup(law))
    assert.deepEqual([await found('bell'), await found('office'), await found('g-law')], [[ann.id], [law.id], [law.id]])

    const renamed = changedUser(ann, { name: { givenName: 'Ann', familyName: 'Stone' }, userName: 'anna' })
    committed(await write.replaceUser(ann, renamed))
    assert.deepEqual([await found('bell'), await found('stone'), await found('ann')], [[], [ann.id], [ann.id]])
    const tax = changedGroup(law, { displayName: 'Tax Office', externalId: null })
    committed(await write.replaceGroup(law, tax))
    assert.deepEqual(
      [await found('law'), await found('g-law'), await found('tax'), await found('office')],
      [[], [], [law.id], [law.id]],
    )

    committed(await write.deleteUser(renamed))
    committed(await write.deleteGroup(tax))
    for (const text of ['ann', 'stone', 'tax', 'office', ann.id, law.id]) assert.deepEqual(await found(text), [], text)
  })

  test(`${engine}: directories are found by name, tenant and id, until they are deleted with all that is in them`, async () => {
    const store = await openStore()
    const product = `directories-${engine}`
    const directory = await addDirectory(store, { product, tenant: 'acme-corp', name: 'Okta of Acme' })
    const [user] = await addUsers(store, directory, ['okta-admin'])
    const find = (text: string, types: readonly SearchedType[] = ['directory']) =>
      idsOf(store, { product }, text, types)
    for (const text of ['okta', 'of a', 'acme', 'acme-c', 'corp', directory.id]) {
      assert.deepEqual(await find(text), [directory.id], text)
    }
    assert.deepEqual(await find('okta', searchedTypes), [directory.id, user?.id])
    await store.replaceDirectory({ ...directory, name: 'Entra', revision: 2 })
    assert.deepEqual(
      [await find('okta'), await find('entra'), await find('corp')],
      [[], [directory.id], [directory.id]],
    )
    await store.deleteDirectory(directory.id, 1)
    for (const text of ['entra', 'corp', 'okta-admin']) assert.deepEqual(await find(text, searchedTypes), [], text)
  })

  test(`${engine}: a search keeps to its scope`, async () => {
    const store = await openStore()
    const [one, two] = [`scope-${engine}-1`, `scope-${engine}-2`]
    const directories = [
      await addDirectory(store, { product: one, tenant: 't1' }),
      await addDirectory(store, { product: one, tenant: 't2' }),
      await addDirectory(store, { product: two, tenant: 't1' }),
    ]
    const users = await Promise.all(directories.map((directory) => addUsers(store, directory, [`scoped-${engine}`])))
    const ids = users.flat().map(({ id }) => id)
    const [first] = directories
    for (const [scope, expected] of [
      [{}, [0, 1, 2]],
      [{ product: one }, [0, 1]],
      [{ tenant: 't1' }, [0, 2]],
      [{ tenant: 't2', product: one }, [1]],
      [{ directoryId: first?.id }, [0]],
      [{ directoryId: first?.id, tenant: 't2' }, []],
      [{ product: 'none' }, []],
      [{ tenant: 'none\0' }, []],
    ] as [DirectoryScope, number[]][]) {
      const found = await idsOf(store, scope, `scoped-${engine}`)
      const which = found.map((id) => ids.indexOf(id)).sort()
      assert.deepEqual(which, expected, JSON.stringify(scope))
      const named = await store.findNamed(scope, ` Scoped-${engine}`, 9)
      assert.deepEqual(named.map(({ id }) => ids.indexOf(id)).sort(), expected)
    }
  })

  test(`${engine}: the pages of a search have every hit once, in the order of terms, over products and kinds`, async () => {
    const store = await openStore()
    const tenant = `pages-${engine}`
    const directories = await Promise.all(
      [1, 2, 3].map((n) => addDirectory(store, { tenant, product: `pages-${engine}-${n}`, name: `Pager ${n}` })),
    )
    for (const directory of directories) {
      await addUsers(store, directory, ['pageboy', 'page turner', 'pa\u{1f600}', 'pa\uffee', 'other'])
      for (const displayName of ['Page', 'Pagan page'])
        committed(await writesTo(store, directory).createGroup(someGroup({ displayName })))
    }
    for (const scope of [{ tenant }, {}]) {
      const all = await pagesOf(store, scope, 'pa', 100)
      const own = all.filter((hit) => hit.tenant === tenant)
      assert.equal(own.length, 3 * (1 + 4 + 2))
      assert.equal(new Set(own.map(({ id }) => id)).size, own.length)
      for (const limit of [1, 4]) assert.deepEqual(await pagesOf(store, scope, 'pa', limit), all)
    }
  })

  test(`${engine}: what has an externalId comes first, page by page, and not again with its terms`, async () => {
    const store = await openStore()
    const products = [`keys-${engine}-1`, `keys-${engine}-2`]
    const directories: Directory[] = []
    for (const product of [...products, ...products])
      directories.push(await addDirectory(store, { product, tenant: `keys-${engine}` }))
    for (const directory of directories) {
      const { createUser, createGroup } = writesTo(store, directory)
      const users = ['a', 'b'].map((name) =>
        someUser({ userName: `${engine}-key-${name}`, externalId: `${engine}-key` }),
      )
      for (const user of users) committed(await createUser(user))
      committed(await createUser(someUser({ userName: `${engine}-keyless` })))
      committed(await createGroup(someGroup({ displayName: `${engine}-key group`, externalId: `${engine}-key` })))
    }
    const number = (hit: SearchHit) => directories.findIndex(({ id }) => id === hit.directoryId)
    const [first = assert.fail()] = directories
    const scopes: [DirectoryScope, number[]][] = [
      [{ tenant: first.tenant }, [0, 1, 2, 3]],
      [{ product: first.product }, [0, 2]],
      [{ directoryId: first.id }, [0]],
      [{}, [0, 1, 2, 3]],
    ]
    for (const [scope, expected] of scopes) {
      const all = await pagesOf(store, scope, `${engine}-key`, 100)
      const keyed = all.slice(0, 3 * expected.length)
      const twice = [...expected, ...expected].sort()
      assert.deepEqual(keyed.map(number), [...expected, ...twice])
      assert.deepEqual(
        keyed.map(({ type }) => type),
        [...expected.map(() => 'group'), ...twice.map(() => 'user')],
      )
      assert.deepEqual(
        all.slice(keyed.length).map(({ userName }) => userName),
        expected.map(() => `${engine}-keyless`),
      )
      for (const limit of [1, 2, 3]) assert.deepEqual(await pagesOf(store, scope, `${engine}-key`, limit), all)
      assert.equal((await store.findNamed(scope, `${engine}-key`, 100)).length, keyed.length)
      assert.equal((await store.findNamed(scope, `${engine}-key`, 2)).length, 2)
    }
  })

  test(`${engine}: a call examines a limited number of terms, and the next one continues after them`, async () => {
    const store = await openStore()
    const [tenant, products] = [`rare-${engine}`, Array.from({ length: 16 }, (_, n) => `examined-${engine}-${n}`)]
    const own = await Promise.all(products.map((product) => addDirectory(store, { tenant, product })))
    const [first = assert.fail()] = own
    const crowd = await addDirectory(store, { tenant: `crowd-${engine}`, product: first.product })
    await addUsers(
      store,
      crowd,
      Array.from({ length: 250 }, (_, n) => `bulk-${String(n).padStart(3, '0')}`),
    )
    const [rare] = await addUsers(store, first, ['bulk-999'])
    const page = await store.search({ tenant }, 'bulk', { types: searchedTypes, limit: 5 })
    assert.deepEqual(page.hits, [])
    assert.ok(page.next)
    assert.deepEqual(
      (await pagesOf(store, { tenant }, 'bulk', 5)).map(({ id }) => id),
      [rare?.id],
    )
  })

  test(`${engine}: users and groups are found by a whole name, not by a part of one`, async () => {
    const store = await openStore()
    const { id: directoryId, product, ...rest } = await addDirectory(store, { product: `named-${engine}` })
    const { createUser, createGroup } = writesTo(store, { id: directoryId, product, ...rest })
    const long = `${'x'.repeat(300)}@x.example`
    const cid = someUser({ userName: 'cid', displayName: 'Cid Moss', externalId: 'E7', emails: [{ value: long }] })
    const moss = someGroup({ displayName: 'Moss' })
    committed(await createUser(cid))
    committed(await createGroup(moss))
    const user = { type: 'user', id: cid.id, directoryId } as const
    for (const text of ['CID', 'cid  moss', 'E7', ' E7 ', long, cid.id]) {
      assert.deepEqual(await store.findNamed({ product }, text, 5), [user], text)
    }
    const named = await store.findNamed({ product }, 'moss', 5)
    assert.deepEqual(named, [{ type: 'group', id: moss.id, directoryId }])
    for (const text of ['ci', 'cid m', 'e7', '', ' '])
      assert.deepEqual(await store.findNamed({ product }, text, 5), [], text)
  })
}

async function idsOf(
  store: Store,
  scope: DirectoryScope,
  text: string,
  types: readonly SearchedType[] = ['user', 'group'],
) {
  const { hits } = await store.search(scope, text, { types, limit: 50 })
  return hits.map(({ id }) => id)
}

async function pagesOf(store: Store, scope: DirectoryScope, text: string, limit: number): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  for (let after: SearchPosition | undefined; ; ) {
    const page = await store.search(scope, text, { types: searchedTypes, after, limit })
    assert.ok(page.hits.length <= limit)
    hits.push(...page.hits)
    if (page.next === undefined) return hits
    after = page.next
  }
}

function withoutPosition({ position: _, ...hit }: SearchHit) {
  return hit
}
