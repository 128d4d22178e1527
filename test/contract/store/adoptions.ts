import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountList } from '../../../src/adoption/adoption-store.ts'
import { maxSharing } from '../../../src/adoption/adoption-store.ts'
import type { ListedAccount } from '../../../src/adoption/match.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { Store } from '../../../src/store/store.ts'
import { testAudited, testCaller } from '../../support/audited.ts'
import type { StoreUnderTest } from './database.ts'
import { closeWhenPurged } from './database.ts'
import { addDirectory, addUsers, cause, committed, eventsOf, someUser, writesTo } from './samples.ts'

const { at } = cause
const later = at + 1_000
const audit = testAudited({
  action: 'adoption.applied',
  caller: testCaller,
  target: { kind: 'directory', id: undefined },
  at,
})

const account = (id: string, keys: Partial<ListedAccount['keys']> = {}): ListedAccount => ({
  id,
  keys: { external_id: undefined, user_name: undefined, email: undefined, ...keys },
})

/** Sends a list to a directory. */
async function send(store: Store, { id }: Directory, accounts: readonly ListedAccount[]): Promise<AccountList> {
  const list = await store.beginAccountList(id, at, later)
  assert.equal(await store.addAccounts(list, accounts), undefined)
  assert.equal(await store.finishAccountList(list, accounts.length, at, later), true)
  return list
}

/** Sends a list with an account for each user, and begins to link them. */
async function beginLinking(store: Store, directory: Directory, users: readonly IndexedUser[]): Promise<AccountList> {
  const list = await send(
    store,
    directory,
    users.map(({ userName }) => account(`of ${userName}`)),
  )
  const marks = users.map(({ id, userName }) => ({ id: `of ${userName}`, userId: id }))
  await store.beginMarks(list, 'm')
  assert.equal(await store.markAccounts(list, 'm', marks), true)
  assert.equal(await store.beginAdoption(list, 'm', { version: 'v', links: users.length }, audit), true)
  return list
}

const accountsOf = async (store: Store, { id }: Directory, users: readonly IndexedUser[]) => {
  const found = await store.getUsers(
    id,
    users.map((user) => user.id),
  )
  return users.map((user) => found.get(user.id)?.accountId)
}

async function stepToEnd(store: Store, { id }: Directory): Promise<string[]> {
  const made: string[] = []
  while (made.at(-1) !== 'idle') made.push(await store.stepAdoption(id, at))
  return made
}

export function adoptionContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a list of accounts takes the place of the former one when it is complete, and not before`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const first = await send(store, directory, [account('a-1', { email: 'ann@acme.example' }), account('a-2')])
    const second = await store.beginAccountList(directory.id, at, later)
    assert.notEqual(second.list, first.list)
    assert.equal(await store.addAccounts(second, [account('a-2'), account('a-3')]), undefined)
    const present = async () => {
      const { list, state, accounts, sentAt } = (await store.getAdoption(directory.id)) ?? {}
      return [list, state, accounts, sentAt]
    }
    assert.deepEqual(await present(), [first.list, 'ready', 2, at])
    await store.finishAccountList(second, 2, at + 1, later)
    assert.deepEqual(await present(), [second.list, 'ready', 2, at + 1])
    assert.deepEqual(await stepToEnd(store, directory), ['removed', 'idle'])
    assert.deepEqual(await store.accountsAfter(first, '', 9), [])
    assert.deepEqual(
      (await store.accountsAfter(second, 'a-2', 9)).map(({ id }) => id),
      ['a-3'],
    )
  })

  test(`${engine}: a list has each account once, and at most ${maxSharing} with the same value`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const list = await store.beginAccountList(directory.id, at, later)
    const shared = Array.from({ length: maxSharing }, (_, n) => account(`a-${n}`, { email: 'all@acme.example' }))
    assert.equal(await store.addAccounts(list, shared), undefined)
    const again = [account('b-1'), account('a-7')]
    assert.deepEqual(await store.addAccounts(list, again), { account: again[1], key: 'account_id' })
    const twice = [account('c-1'), account('c-1')]
    assert.deepEqual(await store.addAccounts(list, twice), { account: twice[1], key: 'account_id' })
    const more = [account('d-1'), account('d-2', { email: 'all@acme.example' })]
    assert.deepEqual(await store.addAccounts(list, more), { account: more[1], key: 'email' })
    await store.forgetAccountList(list)
    assert.equal(await store.addAccounts(list, [account('e-1')]), 'gone')
    await stepToEnd(store, directory)
    assert.deepEqual(await store.accountsAfter(list, '', 9), [])
  })

  test(`${engine}: accounts and users are found by each key`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const other = await addDirectory(store)
    const resources = [
      { userName: 'Ann', externalId: 'X-1', emails: [{ value: 'Ann@acme.example' }, { value: 'a@acme.example' }] },
      { userName: 'Bob@acme.example', externalId: 'X-1' },
      { userName: 'cid', active: false, emails: [{ value: 'bob@ACME.example' }] },
    ]
    const users = resources.map(someUser)
    for (const user of users) committed(await writesTo(store, directory).createUser(user))
    committed(await writesTo(store, other).createUser(someUser({ userName: 'ann', externalId: 'X-1' })))
    const idOf = (index: number) => users[index]?.id
    const found = async (key: Parameters<Store['usersByKey']>[1], ...values: string[]) =>
      (await store.usersByKey(directory.id, key, values)).map((some) => some.map(({ shown }) => shown.id).sort())
    assert.deepEqual(await found('external_id', 'X-1', 'x-1'), [[idOf(0), idOf(1)].sort(), []])
    assert.deepEqual(await found('user_name', 'ann', 'nobody'), [[idOf(0)], []])
    const byAddress = await found('email', 'a@acme.example', 'bob@acme.example', 'ann')
    assert.deepEqual(byAddress, [[idOf(0)], [idOf(1), idOf(2)].sort(), []])
    await store.linkAccounts(directory.id, [{ userId: idOf(2) ?? '', accountId: 'a-1' }])
    assert.deepEqual(await found('account_id', 'a-1', 'a-2'), [[idOf(2)], []])
    const [ann, bob, cid] = await store.usersAfter(directory.id, 0, 9)
    assert.deepEqual(ann?.keys.email, ['ann@acme.example', 'a@acme.example'])
    assert.deepEqual([bob?.keys.email, bob?.keys.user_name], [['bob@acme.example'], ['bob@acme.example']])
    assert.deepEqual([cid?.accountId, cid?.shown.active], ['a-1', false])
    assert.deepEqual(await store.usersAfter(directory.id, cid?.position ?? 0, 9), [])
    const accounts = [account('k-1', { email: 'a', user_name: 'b' }), account('k-2', { email: 'a', external_id: 'c' })]
    const list = await send(store, directory, accounts)
    assert.deepEqual(await store.accountsByKey(list, 'email', ['a', 'b']), [accounts, []])
    assert.deepEqual(await store.accountsByKey(list, 'user_name', ['b']), [[accounts[0]]])
    assert.deepEqual(await store.accountsByKey(list, 'external_id', ['c']), [[accounts[1]]])
  })

  test(`${engine}: marks are those of the last who marks, and are only applied by them`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const list = await send(store, directory, [account('a-1'), account('a-2')])
    await store.beginMarks(list, 'first')
    assert.equal(await store.markAccounts(list, 'first', [{ id: 'a-1', userId: 'u-1' }]), true)
    await store.beginMarks(list, 'second')
    assert.equal(await store.markAccounts(list, 'first', [{ id: 'a-2', userId: 'u-2' }]), false)
    assert.equal(await store.markAccounts(list, 'second', [{ id: 'a-1', userId: undefined }]), true)
    const marks = (await store.accountsAfter(list, '', 9)).map(({ userId }) => userId)
    assert.deepEqual(marks, [undefined, undefined])
    const plan = { version: 'v', links: 0 }
    assert.equal(await store.beginAdoption(list, 'first', plan, audit), false)
    assert.equal(await store.beginAdoption(list, 'second', plan, audit), true)
    assert.equal(await store.markAccounts(list, 'second', [{ id: 'a-1', userId: 'u-1' }]), false)
    await store.forgetAccountList(list)
    assert.equal((await store.getAdoption(directory.id))?.state, 'applying')
    assert.equal(
      await store.finishAccountList(await store.beginAccountList(directory.id, at, later), 0, at, later),
      false,
    )
  })

  test(`${engine}: a plan is applied in steps, and a killed process misses none`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    const directory = await addDirectory(store)
    const users = await addUsers(
      store,
      directory,
      Array.from({ length: 650 }, (_, n) => `user-${n}`),
    )
    await beginLinking(store, directory, users)
    const events = await eventsOf(store, directory)
    const made: string[] = []
    while (made.at(-1) !== 'idle') {
      made.push(await store.stepAdoption(directory.id, at))
      await store.close()
      store = await database.open()
    }
    assert.deepEqual(made, ['linked', 'linked', 'linked', 'removed', 'removed', 'idle'])
    assert.deepEqual(
      await accountsOf(store, directory, users),
      users.map(({ userName }) => `of ${userName}`),
    )
    assert.equal(await store.getAdoption(directory.id), undefined)
    assert.equal((await eventsOf(store, directory)).length, events.length)
    await store.close()
    assert.deepEqual(await database.rowsOf(['adoptions', 'adoption_accounts']), [[], []])
  })

  test(`${engine}: users who were linked or deleted meanwhile are skipped, and concurrent steps are one`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, ['ann', 'bob', 'cid', 'dan'])
    const [ann, bob, cid] = users
    assert.ok(ann && bob && cid)
    await beginLinking(store, directory, users)
    await store.linkAccounts(directory.id, [{ userId: bob.id, accountId: 'of ann' }])
    committed(await writesTo(store, directory).deleteUser(cid))
    await Promise.all([1, 2].map(() => store.stepAdoption(directory.id, at)))
    await store.linkAccounts(directory.id, [{ userId: bob.id, accountId: undefined }])
    await stepToEnd(store, directory)
    assert.deepEqual(await accountsOf(store, directory, users), [undefined, undefined, undefined, 'of dan'])
  })

  test(`${engine}: the last step ends the hold for the adoption, and no other`, async () => {
    await using database = await createDatabase()
    let store = await database.open()
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, ['ann'])
    await beginLinking(store, directory, users)
    await store.close()
    const hold = (reason: string, first: number) =>
      database.execute(`
        insert into holds (directory_id, since, reason, percent, minimum, window_seconds, removals, removals_before, highest,
          counted_from, first_sequence, version) values ('${directory.id}', 0, '${reason}', 0, 0, 0, 0, 0, 0, 0, ${first}, ${first})`)
    await hold('adoption', 1)
    await hold('users', 2)
    await database.execute(`update directory_state set held_from = 1 where directory_id = '${directory.id}'`)
    store = await database.open()
    assert.equal(await store.stepAdoption(directory.id, at), 'linked')
    const holds = (await store.getHolds(directory.id)).map(({ reason }) => reason)
    assert.deepEqual(holds, ['users'])
    assert.equal((await eventsOf(store, directory)).length, 1)
    await store.close()
  })

  test(`${engine}: a list is forgotten at its time, complete or not`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await send(store, directory, [account('a-1')])
    await store.beginAccountList(directory.id, at, later + 1)
    const due = async (now: number) => {
      const { directories } = await store.listAdoptionWork('', 1_000, now)
      return directories.some(({ id }) => id === directory.id)
    }
    assert.deepEqual([await due(at), await store.stepAdoption(directory.id, at)], [false, 'idle'])
    assert.equal(await due(later), true)
    for (const _ of [1, 2]) assert.equal(await store.stepAdoption(directory.id, later), 'removed')
    assert.equal(await store.getAdoption(directory.id), undefined)
    assert.deepEqual([await due(later), await due(later + 1)], [false, true])
  })

  test(`${engine}: a deleted directory leaves no accounts`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const directory = await addDirectory(store)
    await send(store, directory, [account('a-1')])
    await store.deleteDirectory(directory.id, at)
    await closeWhenPurged(database, store, directory.id)
    assert.deepEqual(await database.rowsOf(['adoptions', 'adoption_accounts']), [[], []])
  })
}
