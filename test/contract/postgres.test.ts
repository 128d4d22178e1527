import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { Directory } from '../../src/directory/directory.ts'
import { createRecognize } from '../../src/directory/returned-users.ts'
import type { IndexedUser } from '../../src/directory/user.ts'
import { fromJsonText } from '../../src/scim/json-text.ts'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { readMigrations } from '../../src/store/migrations.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import type { Store } from '../../src/store/store.ts'
import { startNetwork, withOtherProcessId } from '../guarantees/support/network.ts'
import { eventually } from '../support/eventually.ts'
import type { PostgresOptions } from '../support/postgres.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { postgresUnderTest } from './postgres-database.ts'
import { chainOf, someAudit } from './store/audit-samples.ts'
import { directoryTables, failOnPurgeError, someSealing } from './store/database.ts'
import { holdMany } from './store/holds.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  delta,
  eventsOf,
  someUser,
  writesTo,
} from './store/samples.ts'
import { addPulled, begin, longMs, silentMs, someRequest } from './store/sync-run-samples.ts'

const createDatabase = async (options: PostgresOptions = {}) => postgresUnderTest(await startPostgres(options))

/** Two stores on one database, like two processes. */
async function openTwo(): Promise<{ stores: [Store, Store]; url: string } & AsyncDisposable> {
  const database = await createDatabase()
  const stores = await Promise.all([database.open(), database.open()])
  return {
    stores,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()))
      await database[Symbol.asyncDispose]()
    },
  }
}

test('postgres: many processes can migrate an empty database concurrently', async () => {
  await using database = await createDatabase({ isEmpty: true })
  const stores = await Promise.all(Array.from({ length: 6 }, () => database.open()))
  await addDirectory(stores[0] ?? assert.fail())
  await Promise.all(stores.map((store) => store.close()))
  const migrations = readMigrations('postgres')
  assert.equal((await execute(database.url, 'select from schema_migrations')).length, migrations.length)
})

test('postgres: several processes keep names unique, sequences without gaps and changes complete', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  const directory = await addDirectory(one)
  const { group } = await addGroup(one, directory, 'Everyone')
  const names = Array.from({ length: 150 }, (_, n) => `user-${n}`)
  const outcomes = await Promise.all(
    names.flatMap((userName) =>
      two.stores.map(async (store) => {
        const user = someUser({ userName })
        const writes = writesTo(store, directory)
        const outcome = await writes.createUser(user)
        if (typeof outcome === 'string') return outcome
        committed(await writes.replaceUser(user, changedUser(user, { title: 'x' })))
        return committed(await writes.changeMembers(group, delta([user]))).events.length
      }),
    ),
  )
  assert.equal(outcomes.filter((outcome) => outcome === 1).length, 150)
  assert.equal(outcomes.filter((outcome) => outcome === 'user-name-taken').length, 150)
  assert.equal((await eventsOf(other, directory)).length, 1 + 150 * 3)
  assert.equal((await other.getGroup(directory.id, group.id))?.version, 151)
  assert.equal((await other.listMembers(directory.id, group.id, { from: 100, limit: 100 })).length, 50)
})

test('postgres: of concurrent changes in two processes, one is applied, and one user gets a name', async () => {
  await using two = await openTwo()
  const [one] = two.stores
  const directory = await addDirectory(one)
  const users = await addUsers(one, directory, ['a', 'b', 'c', 'd', 'e', 'f'])
  const names = users.flatMap((user) => two.stores.map((store) => ({ store, user })))
  const outcomes = await Promise.all(
    names.map(({ store, user }) =>
      writesTo(store, directory).replaceUser(user, changedUser(user, { userName: 'new' })),
    ),
  )
  assert.equal(outcomes.filter((outcome) => typeof outcome === 'object').length, 1)
  const [user] = await addUsers(one, directory, ['g'])
  assert.ok(user)
  const changes = await Promise.all(
    two.stores.flatMap((store) =>
      [1, 2, 3].map((n) => writesTo(store, directory).replaceUser(user, changedUser(user, { n }))),
    ),
  )
  assert.equal(changes.filter((outcome) => outcome === 'version-mismatch').length, 5)
  assert.equal((await eventsOf(one, directory)).length, 6 + 1 + 1 + 1)
})

test('postgres: a name that another process frees after it has rejected a batch is given to the user who wants it', async () => {
  await using database = await createDatabase()
  const store = await database.open()
  const directory = await addDirectory(store)
  const fault = `
    create sequence faults;
    create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('faults') = 1 then
          raise exception 'taken' using errcode = 'unique_violation', constraint = 'users_by_name';
        end if;
        return new;
      end $$;
    create trigger faulty before insert or update on users for each row execute function fail()`
  await execute(database.url, fault)
  const users = await addUsers(store, directory, ['ann', 'bob', 'cid'])
  await execute(database.url, 'alter sequence faults restart')
  const { replaceUser } = writesTo(store, directory)
  const outcomes = await Promise.all(
    users.map((user) => replaceUser(user, changedUser(user, { userName: `new-${user.userName}` }))),
  )
  for (const outcome of outcomes) committed(outcome)
  assert.equal((await eventsOf(store, directory)).length, 6)
  await store.close()
})

test('postgres: a user that one process deletes cannot become a member in another', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  const directory = await addDirectory(one)
  const users = await addUsers(
    one,
    directory,
    Array.from({ length: 40 }, (_, n) => `user-${n}`),
  )
  const { group } = await addGroup(one, directory, 'Everyone')
  await Promise.all(
    users.flatMap((user) => [
      writesTo(one, directory).changeMembers(group, delta([user])),
      writesTo(other, directory).deleteUser(user),
    ]),
  )
  assert.deepEqual(await one.listMembers(directory.id, group.id, { from: 0, limit: 9 }), [])
  assert.deepEqual(await execute(two.url, 'select * from members'), [])
  assert.deepEqual(await execute(two.url, "select * from list_counts where list_name not in ('groups')"), [])
  await eventsOf(one, directory)
})

test('postgres: a user is recognized whose deletion in one process commits while the creation in another waits', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  const directory = await addDirectory(one)
  const recognize = createRecognize('a-key', 30) ?? assert.fail()
  const recognized = (user: IndexedUser) => ({ ...user, recognition: recognize(directory.id, user, cause.at) })
  const [ann, bob] = await addUsers(one, directory, ['ann', 'bob'])
  assert.ok(ann && bob)
  await writesTo(one, directory).deleteUser(recognized(bob))
  const blocker = new Client({ connectionString: two.url })
  await blocker.connect()
  try {
    const waiting = async (count: number) => {
      const sessions = await execute(two.url, "select from pg_stat_activity where wait_event_type = 'Lock'")
      return sessions.length === count
    }
    await blocker.query('begin')
    await blocker.query('select from directory_state where directory_id = $1 for update', [directory.id])
    const deletion = writesTo(one, directory).deleteUser(recognized(ann))
    await eventually('the deletion waits', () => waiting(1))
    const again = someUser({ userName: 'ann' })
    const creation = writesTo(other, directory).createUser(recognized(again))
    await eventually('the creation waits', () => waiting(2))
    await blocker.query('commit')
    committed(await deletion)
    committed(await creation)
    const returned = (await one.getUser(directory.id, again.id))?.returnedFrom
    assert.equal(returned && fromJsonText<{ id: string }>(returned).id, ann.id)
  } finally {
    await blocker.end()
  }
})

test('postgres: a process renews its leases without waiting for a stream that another process has locked', async () => {
  await using two = await openTwo()
  const [store] = two.stores
  const [free, locked] = [await addDirectory(store), await addDirectory(store)]
  for (const { id } of [free, locked])
    assert.equal(typeof (await store.leaseStream(id, 'endpoint', 'me', longMs)), 'object')
  const other = new Client({ connectionString: two.url })
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select 1 from delivery_streams where directory_id = $1 for update', [locked.id])
    const renewed = await store.renewLeases('endpoint', 'me', longMs)
    assert.deepEqual(renewed, { renewed: [free.id], locked: [locked.id] })
  } finally {
    await other.end()
  }
})

test('postgres: several processes can purge concurrently', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  const gone = await Promise.all([1, 2, 3].map(() => addDirectory(one)))
  for (const directory of gone) {
    const users = await addUsers(
      one,
      directory,
      Array.from({ length: 600 }, (_, n) => `user-${n}`),
    )
    await addGroup(other, directory, 'Everyone', users)
  }
  await Promise.all(gone.map(({ id }, n) => (n % 2 === 0 ? one : other).deleteDirectory(id, 0)))
  const isPurged = async () => (await execute(two.url, 'select id from directories')).length === 0
  await eventually('the directories to be purged', isPurged)
  for (const table of directoryTables) assert.deepEqual(await execute(two.url, `select * from ${table}`), [], table)
})

test('postgres: audited changes of the same directories in two processes form one chain and do not deadlock', async () => {
  await using two = await openTwo()
  const [one] = two.stores
  const directories = [await addPulled(one), await addPulled(one)]
  for (const directory of directories) await addUsers(one, directory, ['ann'])
  const change = { apply: <T>(state: T) => state, endsLease: true }
  const endpoint = { url: 'https://acme.example/', secret: 'whsec_a', previousSecret: undefined }
  const changes = (store: Store, directory: Directory, n: number) => {
    const { id: directoryId, id } = directory
    return [
      store.replaceDirectory({ ...directory, endpoint, revision: n }, someAudit()),
      store.changeStream(id, 'endpoint', change, someAudit()),
      store.requestReplay(id, 'endpoint', 1, n, someAudit()),
      store.beginSyncRun(someRequest({ directoryId, ttlMs: silentMs }), someAudit()),
      store.beginResync({ directoryId, syncId: id, requestId: 'request-9', startedAt: n }, someAudit()),
      store.appendAudit(someAudit()),
    ]
  }
  const rounds = [2, 3, 4, 5].flatMap((n) =>
    directories.flatMap((directory) => two.stores.flatMap((store) => changes(store, directory, n))),
  )
  await Promise.all(rounds)
  assert.ok((await chainOf(one)).length > rounds.length / 2)
})

/** The purge at start may lose its connection as well; the next start continues it. */
function failUnlessUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}

test('postgres: lost connections are replaced', async () => {
  await using database = await createDatabase()
  const store = await database.open(someSealing(), failUnlessUnavailable)
  const directory = await addDirectory(store)
  const writes = Promise.allSettled(
    Array.from({ length: 400 }, (_, n) => writesTo(store, directory).createUser(someUser({ userName: `user-${n}` }))),
  )
  await execute(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rollcall' and datname = current_database()`,
  )
  const outcomes = await writes
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof StoreUnavailable)
  }
  await execute(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rollcall' and datname = current_database()`,
  )
  let attempts = 0
  await eventually('a write on a new connection', async () => {
    const user = someUser({ userName: `after-${attempts++}` })
    try {
      committed(await writesTo(store, directory).createUser(user))
      return true
    } catch (error) {
      if (error instanceof StoreUnavailable) return false
      throw error
    }
  })
  const events = await eventsOf(store, directory)
  assert.equal(events.length, await store.countUsers(directory.id))
  const told = outcomes.flatMap((o) => (o.status === 'fulfilled' && typeof o.value === 'object' ? o.value.events : []))
  for (const event of told) assert.equal(event.id, events[event.sequence - 1]?.id)
  await store.close()
})

test('postgres: processes that take the steps of one resync concurrently send everything once', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  const directory = await addDirectory(one)
  await addUsers(
    one,
    directory,
    Array.from({ length: 60 }, (_, n) => `user-${n}`),
  )
  const request = { directoryId: directory.id, syncId: 'sync-1', requestId: 'request-1', startedAt: 1 }
  await Promise.all([one.beginResync(request), other.beginResync({ ...request, syncId: 'sync-2' })])
  const stepAll = async (store: Store): Promise<void> => {
    const present = await store.getResync(directory.id)
    if (present === undefined || present.completedAt !== undefined) return
    await store.stepResync(present, { rows: 3, bytes: 10_000 }, 2)
    await stepAll(store)
  }
  await Promise.all([stepAll(one), stepAll(other), stepAll(other)])
  const told = (await eventsOf(one, directory)).slice(60).map(({ eventType, data }) => `${eventType} ${data}`)
  assert.equal(told.length, 62)
  assert.equal(new Set(told).size, 62)
})

test('postgres: processes receive the notices of each other, not their own', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  const received = { byOne: [] as unknown[], byOther: [] as unknown[] }
  const stops = [
    one.onNotice((notice) => received.byOne.push(notice)),
    other.onNotice((notice) => received.byOther.push(notice)),
  ]
  const first = { directoryId: 'd1', target: 'endpoint', isUrgent: false, tenant: 'Zoë & Söhne' } as const
  const second = { directoryId: 'd2', target: 'on-event', isUrgent: true, tenant: 'acme' } as const
  await eventually('both processes to be notified', async () => {
    await one.publishNotice(first)
    await other.publishNotice(second)
    return received.byOne.length > 0 && received.byOther.length > 0
  })
  assert.deepEqual([received.byOne[0], received.byOther[0]], [second, first])
  assert.ok(received.byOther.every((notice) => (notice as typeof first).directoryId === 'd1'))
  const count = received.byOne.length
  for (const payload of ['not one of ours', 'wake endpoint d3 someone %E0%A4']) {
    await execute(two.url, `notify rollcall_streams, '${payload}'`)
  }
  await eventually('a notice after those of another version', async () => {
    await other.publishNotice(second)
    return received.byOne.length > count
  })
  assert.ok(received.byOne.every((notice) => (notice as typeof second).directoryId === 'd2'))
  for (const stop of stops) stop()
})

test('postgres: notices use the direct address of the server', async () => {
  await using database = await createDatabase()
  const direct = new URL(database.url)
  direct.searchParams.set('application_name', 'direct')
  const options = { url: database.url, directUrl: direct.href }
  const store = await openPostgresStore(options, someSealing(), failOnPurgeError)
  const stop = store.onNotice(() => {})
  await eventually('a direct connection to listen', async () => {
    const text = "select from pg_stat_activity where application_name = 'direct' and query like 'listen%'"
    return (await execute(database.url, text)).length === 1
  })
  stop()
  await store.close()
  const nowhere = { ...options, directUrl: 'postgres://postgres:password@127.0.0.1:1/nowhere' }
  await assert.rejects(openPostgresStore(nowhere, someSealing(), failOnPurgeError), StoreUnavailable)
})

test('postgres: a connection through a pooler, which has process ids of its own, is not used to listen', async () => {
  await using database = await createDatabase()
  await using network = await startNetwork(database.url, withOtherProcessId)
  const store = await openPostgresStore({ url: database.url, directUrl: network.url }, someSealing(), failOnPurgeError)
  const stop = store.onNotice(() => assert.fail('it listens'))
  await eventually('the connection to be checked', async () => network.opened() >= 2 && network.open() === 0)
  await store.publishNotice({ directoryId: 'd1', target: 'endpoint', isUrgent: false, tenant: 'acme' })
  const listening = "select from pg_stat_activity where datname = current_database() and query like 'listen%'"
  assert.deepEqual(await execute(database.url, listening), [])
  stop()
  await store.close()
})

test('postgres: of two processes that lease a stream concurrently one gets it', async () => {
  await using two = await openTwo()
  const directory = await addDirectory(two.stores[0])
  for (let round = 0; round < 20; round += 1) {
    const asked = two.stores.flatMap((store, n) =>
      [1, 2].map((m) => store.leaseStream(directory.id, 'endpoint', `${n}${m}`, 60_000)),
    )
    const taken = (await Promise.all(asked)).filter((answer) => typeof answer === 'object')
    assert.equal(taken.length, 1)
    for (const { lease, state } of taken) {
      assert.equal(lease.token, round + 1)
      assert.equal(state.deliveredSequence, round)
      await two.stores[0].recordStream(lease, { ...state, deliveredSequence: round + 1 })
      await two.stores[1].releaseLease(lease)
    }
  }
})

test('postgres: of two concurrent sync runs of one directory one begins, even after an unfinished one', async () => {
  await using two = await openTwo()
  const [one] = two.stores
  for (let round = 0; round < 10; round += 1) {
    const { id: directoryId } = await addPulled(one)
    if (round % 2 === 1) await begin(one, { directoryId, ttlMs: silentMs })
    const asked = two.stores.flatMap((store, n) =>
      [1, 2].map((m) => store.beginSyncRun(someRequest({ directoryId, holder: `${n}${m}` }))),
    )
    const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.sort(), ['begun', 'running', 'running', 'running'])
    assert.equal((await one.getDirectory(directoryId))?.revision, 2 + (round % 2))
  }
})

test('postgres: a sync run with an expired lease is taken over or continues, never both', async () => {
  await using two = await openTwo()
  const [one, other] = two.stores
  for (let round = 0; round < 10; round += 1) {
    const { id: directoryId } = await addPulled(one)
    const holder = `slow ${round}`
    const silent = await begin(one, { directoryId, holder, ttlMs: silentMs })
    const [renewed, answer] = await Promise.all([
      one.renewSyncRuns(holder, longMs),
      other.beginSyncRun(someRequest({ directoryId })),
    ])
    assert.deepEqual(renewed, answer.outcome === 'begun' ? [] : [silent.id])
  }
})

test('postgres: opening the database does not fail the sync runs of other processes', async () => {
  await using two = await openTwo()
  const [one] = two.stores
  const { id: directoryId } = await addPulled(one)
  const run = await begin(one, { directoryId, ttlMs: silentMs })
  const third = await openPostgresStore({ url: two.url }, someSealing(), failOnPurgeError)
  assert.deepEqual(await third.getSyncRun(directoryId, run.id), run)
  await third.close()
})

test('postgres: an unreachable database is reported as unavailable', async () => {
  const nowhere = { url: 'postgres://postgres:password@127.0.0.1:1/nowhere' }
  await assert.rejects(openPostgresStore(nowhere, someSealing(), failOnPurgeError), StoreUnavailable)
  await using database = await createDatabase()
  const store = await openPostgresStore({ url: database.url }, someSealing(), () => {})
  const directory = await addDirectory(store)
  const [user] = await addUsers(store, directory, ['ann'])
  const { group } = await addGroup(store, directory, 'Sales')
  assert.ok(user)
  await database[Symbol.asyncDispose]()
  const writes = writesTo(store, directory)
  for (const attempt of [
    () => store.ping(),
    () => store.getUser(directory.id, user.id),
    () => store.listUsers(directory.id, { from: 0, limit: 1 }),
    () => store.leaseStream(directory.id, 'endpoint', 'me', 1000),
    () => writes.createUser(someUser({ userName: 'bob' })),
    () => writes.deleteUser(user),
    () => writes.changeMembers(group, delta([user])),
  ]) {
    await assert.rejects(attempt, StoreUnavailable)
  }
  await store.close()
})

test('postgres: the clock of the server can be read, and the connections of each pool are counted', async () => {
  await using database = await createDatabase()
  const store = await database.open()
  const healthPool = () => store.countConnections().find(({ pool }) => pool === 'health')
  const reads = Array.from({ length: 5 }, async () => store.readClock?.())
  assert.deepEqual(healthPool(), { pool: 'health', inUse: 1, waiting: 4 })
  const [first = Number.NaN] = await Promise.all(reads)
  assert(Math.abs(first - Date.now()) < 600_000, `${first} is not now`)
  await eventually('the connection to be free', () => healthPool()?.inUse === 0)
  assert.equal(healthPool()?.waiting, 0)
  await store.close()
})

test('postgres: a discard that fails half-way cannot become a release, and the next one completes it', async () => {
  await using database = await createDatabase()
  const store = await database.open()
  const { directory, firstSequence, request } = await holdMany(store)
  const fault = `
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'fault'; end $$;
    create trigger faulty before insert on resyncs for each row execute function fail()`
  await execute(database.url, fault)
  await assert.rejects(store.discardHold(request))
  assert.equal((await store.eventsAfter(directory.id, firstSequence - 1, 10)).length, 0)
  assert.equal((await store.getHolds(directory.id))[0]?.firstSequence, firstSequence)
  assert.equal(await store.releaseHold(directory.id), 'discarding')
  await addUsers(store, directory, ['new'])
  await execute(database.url, 'drop trigger faulty on resyncs')
  assert.ok(await store.discardHold(request))
  assert.deepEqual(await store.getHolds(directory.id), [])
  const [started] = await store.eventsAfter(directory.id, firstSequence - 1, 10)
  assert.deepEqual([started?.sequence, started?.eventType], [firstSequence, 'sync.started'])
  await store.close()
})
