import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import type { Directory } from '../../src/directory/directory.ts'
import type { Committed } from '../../src/directory/directory-store.ts'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { maxMembersAtOnce } from '../../src/store/large-changes.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import type { Store } from '../../src/store/store.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  changedUser,
  committed,
  delta,
  eventsOf,
  replacedBy,
  writesTo,
} from './store/samples.ts'

// Writes of one batch that need several transactions: a transaction that fails must not repeat one that has committed.

/** Events about this user name cause the fault. */
const faultyName = 'faulty'

/** A store whose server runs `fault` for the first `times` events about the faulty user, again after each `reset`. */
async function openFaulty(
  fault: string,
  times: number,
): Promise<{ store: Store; reset(): Promise<unknown> } & AsyncDisposable> {
  const postgres = await startPostgres()
  const store = await openPostgresStore({ url: postgres.url, poolSize: 4 }, someSealing(), failOnPurgeError)
  await execute(
    postgres.url,
    `create sequence faults;
    create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('faults') <= ${times} then ${fault}; end if;
        return new;
      end $$;
    create trigger faulty before insert on events for each row
      when (new.event_type <> 'user.created' and new.data like '%"${faultyName}"%') execute function fail()`,
  )
  return {
    store,
    reset: () => execute(postgres.url, 'alter sequence faults restart'),
    async [Symbol.asyncDispose]() {
      await store.close()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

type Outcome = Committed | string

/**
 * Two groups of writes that share a batch: those of a first transaction, and one that causes the fault in the second.
 */
interface Batch {
  readonly first: readonly (() => Promise<Outcome>)[]
  readonly second: () => Promise<Outcome>
}

/** The division of batches into transactions, by their changes. */
const batches: Readonly<Record<string, (store: Store, directory: Directory) => Promise<Batch>>> = {
  async 'two lists of members for one group'(store, directory) {
    const [ann, faulty] = await addUsers(store, directory, ['ann', faultyName])
    assert.ok(ann && faulty)
    const { group } = await addGroup(store, directory, 'Everyone')
    const { changeMembers } = writesTo(store, directory)
    return {
      first: [() => changeMembers(group, replacedBy([ann]))],
      second: () => changeMembers(group, replacedBy([ann, faulty])),
    }
  },
  async 'a change of members and a large one'(store, directory) {
    const [ann, faulty] = await addUsers(store, directory, ['ann', faultyName])
    assert.ok(ann && faulty)
    const { group } = await addGroup(store, directory, 'Everyone')
    const unknown = Array.from({ length: maxMembersAtOnce }, (_, n) => ({ id: `unknown-${n}` }))
    const { changeMembers } = writesTo(store, directory)
    return {
      first: [() => changeMembers(group, delta([ann]))],
      second: () => changeMembers(group, delta([faulty, ...unknown])),
    }
  },
  async 'a userName that one user gives up and another takes'(store, directory) {
    const [ann, bob, cid] = await addUsers(store, directory, [faultyName, 'bob', 'cid'])
    assert.ok(ann && bob && cid)
    const { replaceUser } = writesTo(store, directory)
    return {
      first: [
        () => replaceUser(ann, changedUser(ann, { userName: 'ann' })),
        () => replaceUser({ ...bob, version: 7 }, { ...changedUser(bob, { title: 'Engineer' }), version: 8 }),
      ],
      second: () => replaceUser(cid, changedUser(cid, { userName: faultyName })),
    }
  },
}

const always = 1_000_000

for (const { fault, statement, times, result } of [
  { fault: 'a deadlock', statement: raise('40P01'), times: 1, result: undefined },
  { fault: 'a lock that is not available', statement: raise('55P03'), times: 2, result: undefined },
  { fault: 'a rejected statement', statement: raise('22023'), times: always, result: DatabaseError },
  {
    fault: 'a lost connection',
    statement: 'perform pg_terminate_backend(pg_backend_pid())',
    times: always,
    result: StoreUnavailable,
  },
]) {
  test(`postgres: after ${fault} in the second transaction of a batch, the first is not repeated`, async () => {
    await using faulty = await openFaulty(statement, times)
    const { store } = faulty
    for (const [what, createBatch] of Object.entries(batches)) {
      const directory = await addDirectory(store)
      const { first, second } = await createBatch(store, directory)
      const before = (await eventsOf(store, directory)).length
      await faulty.reset()
      const results = await Promise.allSettled([...first, second].map((write) => write()))
      const last = results.pop()
      const outcomes = results.map((settled) => (settled.status === 'fulfilled' ? settled.value : settled.reason))
      assert.equal(committed<Committed>(outcomes[0]).events?.length, 1, what)
      assert.deepEqual(outcomes.slice(1), outcomes.slice(1).fill('version-mismatch'), what)
      if (result === undefined)
        assert.equal(last?.status === 'fulfilled' && committed(last.value).events.length, 1, what)
      else assert.ok(last?.status === 'rejected' && last.reason instanceof result, what)
      assert.equal((await eventsOf(store, directory)).length, before + (result === undefined ? 2 : 1), what)
    }
  })
}

function raise(code: string): string {
  return `raise exception 'test' using errcode = '${code}'`
}
