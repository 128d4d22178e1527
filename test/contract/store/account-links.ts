import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceStart } from '../../../src/diagnostics/trace/trace-store.ts'
import type { AccountLink } from '../../../src/directory/account-links.ts'
import { maxLinksAtOnce } from '../../../src/directory/account-links.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../src/directory/event.ts'
import { createRecognize } from '../../../src/directory/returned-users.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import { newId } from '../../../src/ids/new-id.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import { importDirectory, importPeople } from './imports.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  eventsOf,
  someUser,
  userEvent,
} from './samples.ts'

const recognize = createRecognize('a-key', 30)

export function accountLinkContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: an account belongs to one user of a directory, and each link has its outcome`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const [ann, bob, cid] = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    const [dan] = await addUsers(store, other, ['dan'])
    assert.ok(ann && bob && cid && dan)
    const link = (...links: AccountLink[]) => store.linkAccounts(directory.id, links)
    const one = { userId: ann.id, accountId: 'a-1' }
    assert.deepEqual(await link(one, { userId: bob.id, accountId: 'a-1' }, { userId: 'nobody', accountId: 'a-2' }), [
      'changed',
      'account-taken',
      'user-not-found',
    ])
    assert.deepEqual(await link(one, { userId: 'nobody\0', accountId: undefined }), ['unchanged', 'user-not-found'])
    const freed = [
      { userId: ann.id, accountId: undefined },
      { userId: cid.id, accountId: 'a-1' },
    ]
    assert.deepEqual(await link(...freed), ['changed', 'account-taken'])
    assert.deepEqual(await link(...freed), ['unchanged', 'changed'])
    assert.deepEqual(await store.linkAccounts(other.id, [{ userId: dan.id, accountId: 'a-1' }]), ['changed'])
    assert.equal(await store.linkAccounts('nowhere', [one]), 'directory-changed')
    const where = [{ attribute: 'accountId', value: 'a-1' } as const]
    const found = await store.listUsers(directory.id, { where, from: 0, limit: 9, withGroups: true })
    assert.deepEqual(
      found.map(({ item }) => [item.id, item.accountId]),
      [[cid.id, 'a-1']],
    )
    assert.equal(await store.countUsers(directory.id, where), 1)
  })

  test(`${engine}: as many links as fit are one commit, without an event or a new version`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(
      store,
      directory,
      Array.from({ length: maxLinksAtOnce }, (_, n) => `user-${n}`),
    )
    const before = await store.getUser(directory.id, users[7]?.id ?? '')
    const links = users.map(({ id }, n) => ({ userId: id, accountId: `a-${n}` }))
    const outcomes = await store.linkAccounts(directory.id, links)
    assert.ok(typeof outcomes !== 'string' && outcomes.every((outcome) => outcome === 'changed'))
    assert.deepEqual(await store.getUser(directory.id, users[7]?.id ?? ''), { ...before, accountId: 'a-7' })
    assert.equal((await store.streamStatus(directory.id, 'endpoint'))?.lastSequence, maxLinksAtOnce)
  })

  test(`${engine}: events have the accounts of their users at the time of the read, wherever they are read`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann && bob)
    await addGroup(store, directory, 'Sales', [ann, bob])
    const [first] = await eventsOf(store, directory)
    assert.equal(accountIn(first), null)
    await store.requestReplay(directory.id, 'endpoint', 1, cause.at)
    const stream = await store.leaseStream(directory.id, 'endpoint', 'me', 60_000)
    assert.ok(typeof stream === 'object')
    const dead = [1, 2].map((sequence) => ({ sequence, diedAt: 1, reason: 'answered 400' }))
    await store.recordStream(stream.lease, { ...stream.state, deliveredSequence: 2 }, { dead })
    await store.requestReplay(directory.id, 'endpoint', 1, cause.at)
    const renamed = changedUser(ann, { displayName: 'Ann' })
    const requestId = newId()
    committed(
      await store.replaceUser(directory, ann, renamed, userEvent('user.updated', renamed), { ...cause, requestId }),
    )
    await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: 'a-"1"$&' }])
    await store.orderFeed(directory.product)
    const runs = await store.feedRuns(directory.product, 0, 9999)
    const ofDirectory = runs.filter((run) => run.directory?.id === directory.id)
    const ofRuns = ofDirectory.map(({ firstSequence, lastSequence }) => {
      return { directoryId: directory.id, firstSequence, lastSequence }
    })
    const ofProduct = await store.feedEventsOfRuns(ofRuns, 9, 1_000_000)
    const reads: Record<string, readonly StoredEvent[]> = {
      delivery: await store.eventsAfter(directory.id, 0, 9),
      feed: await store.feedEvents(directory.id, 0, 9, 1_000_000),
      'feed of the product': ofProduct.map(({ event }) => event),
      'newest first': await store.eventsBefore(directory.id, 9, 9),
      timeline: await store.eventsOfResource(directory.id, ann.id, 9, 9),
      request: (await store.eventsOfRequest(requestId, traceStart, 9)).map(({ event }) => event),
      'dead events': (await store.deadEvents(directory.id, 'endpoint', 0, 9)).map(({ event }) => event),
      replay: await store.requestedReplays(directory.id, 'endpoint', 9),
    }
    for (const [name, events] of Object.entries(reads)) {
      const ofAnn: readonly StoredEvent[] = events.filter(({ data }) => fromJsonText(data)['id'] === ann.id)
      assert.ok(ofAnn.length > 0, name)
      for (const event of ofAnn) assert.equal(accountIn(event), 'a-"1"$&', name)
      const ofBob: readonly StoredEvent[] = events.filter(({ data }) => fromJsonText(data)['id'] === bob.id)
      for (const event of ofBob) assert.equal(accountIn(event), null, name)
    }
  })

  test(`${engine}: a part of the feed of a product has the accounts of each of its directories`, async () => {
    const store = await openStore()
    const product = `accounts-${engine}`
    const directories = [await addDirectory(store, { product }), await addDirectory(store, { product })]
    const unlinked = await addDirectory(store, { product })
    for (const [index, directory] of directories.entries()) {
      const [ann] = await addUsers(store, directory, ['ann', 'bob'])
      assert.ok(ann)
      await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: `a-${index}` }])
    }
    await addUsers(store, unlinked, ['ann'])
    await store.orderFeed(product)
    const runs = (await store.feedRuns(product, 0, 9)).flatMap(({ directory, firstSequence, lastSequence }) =>
      directory === undefined ? [] : [{ directoryId: directory.id, firstSequence, lastSequence }],
    )
    const found = await store.feedEventsOfRuns(runs, 9, 1_000_000)
    const accountsOf = ({ id }: Directory) =>
      found.filter(({ run }) => runs[run]?.directoryId === id).map(({ event }) => accountIn(event))
    assert.deepEqual(
      [...directories, unlinked].map((directory) => accountsOf(directory).sort()),
      [['a-0', null], ['a-1', null], [null]],
    )
  })

  test(`${engine}: a user who is imported again keeps the account, and linking it is no change that ends the import`, async () => {
    const store = await openStore()
    const directory = await importDirectory(store)
    const { users } = await importPeople(store, directory)
    const [ann] = users
    assert.ok(ann)
    assert.deepEqual(await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: 'a-1' }]), ['changed'])
    const after = changedUser(ann, { displayName: 'Ann' })
    const steps = [{ kind: 'replace-users', users: [{ before: ann, after }] } as const]
    assert.equal(await store.writeImported(directory, steps, cause.at), 'written')
    const stored = await store.getUser(directory.id, ann.id)
    assert.deepEqual([stored?.displayName, stored?.accountId], ['Ann', 'a-1'])
  })

  test(`${engine}: a change that was decided before the link keeps it, and its event has it`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    const changed = changedUser(ann, { displayName: 'Ann' })
    await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: 'a-1' }])
    committed(await store.replaceUser(directory, ann, changed, userEvent('user.updated', changed), cause))
    assert.equal((await store.getUser(directory.id, ann.id))?.accountId, 'a-1')
    assert.deepEqual((await eventsOf(store, directory)).map(accountIn), ['a-1', 'a-1'])
  })

  test(`${engine}: events of a deleted user keep the account, also after the return, which has it back`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, again] = [someUser({ userName: 'ann' }), someUser({ userName: 'ann' })]
    await create(store, directory, ann)
    await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: 'a-1' }])
    await remove(store, directory, ann)
    assert.deepEqual((await eventsOf(store, directory)).map(accountIn), ['a-1', 'a-1'])
    await create(store, directory, again)
    const events = await eventsOf(store, directory)
    assert.deepEqual(events.map(accountIn), ['a-1', 'a-1', 'a-1'])
    const returned = await store.getUser(directory.id, again.id)
    assert.equal(returned?.accountId, 'a-1')
    const former = { id: ann.id, deleted_at: new Date(cause.at).toISOString(), account_id: 'a-1' }
    assert.deepEqual(returned.returnedFrom && fromJsonText(returned.returnedFrom), former)
    const third = someUser({ userName: 'ann', externalId: 'other' })
    assert.ok(typeof (await tryCreate(store, directory, third)) === 'string')
  })

  test(`${engine}: somebody who returns has no account that another user has by now`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob, again] = ['ann', 'bob', 'ann'].map((userName) => someUser({ userName }))
    assert.ok(ann && bob && again)
    await create(store, directory, ann)
    await create(store, directory, bob)
    await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: 'a-1' }])
    await remove(store, directory, ann)
    await store.linkAccounts(directory.id, [{ userId: bob.id, accountId: 'a-1' }])
    await create(store, directory, again)
    const returned = await store.getUser(directory.id, again.id)
    assert.equal(returned?.accountId, undefined)
    assert.equal(returned?.returnedFrom && fromJsonText(returned.returnedFrom).account_id, 'a-1')
  })

  test(`${engine}: the last event of a deleted user has the account, even if nobody is recognized`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    await store.linkAccounts(directory.id, [{ userId: ann.id, accountId: 'a-1' }])
    committed(await store.deleteUser(directory, ann, userEvent('user.deleted', ann), cause))
    assert.equal(accountIn((await eventsOf(store, directory)).at(-1)), 'a-1')
  })
}

function accountIn(event: StoredEvent | undefined): unknown {
  return event && fromJsonText(event.data)['account_id']
}

function recognizable({ id }: Directory, user: IndexedUser) {
  return { ...user, recognition: recognize?.(id, user, cause.at) }
}

function tryCreate(store: Store, directory: Directory, user: IndexedUser) {
  return store.createUser(directory, recognizable(directory, user), userEvent('user.created', user), cause)
}

async function create(store: Store, directory: Directory, user: IndexedUser): Promise<void> {
  committed(await tryCreate(store, directory, user))
}

async function remove(store: Store, directory: Directory, user: IndexedUser): Promise<void> {
  const event = userEvent('user.deleted', user)
  committed(await store.deleteUser(directory, recognizable(directory, user), event, cause))
}
