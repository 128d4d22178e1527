import assert from 'node:assert/strict'
import type { SQLInputValue } from 'node:sqlite'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { matchKeys } from '../../src/adoption/match.ts'
import { createSealing } from '../../src/store/sealing.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { hotPath } from './plans/calls.ts'
import { periodicReads } from './plans/idle.ts'
import { someAudit } from './store/audit-samples.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addGroup, addUsers, changedUser, committed, someUser, writesTo } from './store/samples.ts'
import { addPulled, begin, finish, someRequest } from './store/sync-run-samples.ts'

test('sqlite: no call of the hot path walks through a whole table', async () => {
  const walks = await walksDuring(scanOfLargeTable, async (store) => {
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, ['ann', 'bob'])
    await addGroup(store, directory, 'Everyone', users)
    for (const { prepare } of hotPath(store, directory, users.length)) {
      const call = await prepare()
      // Some calls name resources that this small directory does not have, but their statements were prepared all the
      // same.
      await call().catch(() => {})
    }
  })
  assert.deepEqual(walks, [])
})

test('sqlite: tables that grow with tenants and time are read by an index: sync runs, notices, sign-ins and the audit trail', async () => {
  const now = Date.now()
  const walks = await walksDuring(scanOfRecords, async (store) => {
    const { id } = await addPulled(store)
    await finish(store, await begin(store, { directoryId: id }), { state: 'held' })
    const held = await store.heldRun(id)
    await store.resumeHeldRun(someRequest({ directoryId: id, id: held ?? assert.fail() }), someAudit())
    await store.dropHeldRun(id, held ?? assert.fail(), someAudit())
    await store.listSyncRuns(id, undefined, 10)
    await store.directoriesToSync('', 10)
    const payload = '{}'
    await store.addNotice({ directoryId: id, type: 'sync.failed', id: 'notice', createdAt: now, payload })
    for (const notice of await store.takeDueNotices(now, now, 10)) {
      await store.settleNotice(notice, { sentAt: now, nextAttemptAt: undefined })
    }
    for (const read of Object.values(periodicReads(store))) await read()
    for (const scope of [
      {},
      { directoryId: id },
      { tenant: 'acme' },
      { product: 'crm' },
      { tenant: 'acme', product: 'crm' },
    ]) {
      await store.deadEventsIn(scope, undefined, 10)
    }
    await store.listApiKeys({ limit: 10 })
    await store.listAdminTokens({ limit: 10 })
    await store.pruneAdminTokens(now, 10)
    await store.listSetupLinks('crm', { limit: 10 })
    await store.getSetupLinkOf('acme', 'crm')
    await store.spendAuthorization('state', now, now)
    await store.keepAuthorization(id, 'state', now)
    await store.takeAuthorization(id, now)
    const holder = { kind: 'api-key', id: 'key', grant: undefined } as const
    await store.createConsoleSession({ digest: 'digest', holder, createdAt: now, lastUsedAt: now }, now)
    for (const filter of [
      { tenant: 'acme' },
      { callerId: 'ann', from: 1 },
      { callerName: 'Ann' },
      { tenant: 'acme', product: 'crm', to: now },
    ]) {
      await store.listAudit(filter, 100, 10)
    }
  })
  assert.deepEqual(walks, [])
})

test('sqlite: the accounts of a list that have a value are found without reading the list', async () => {
  const wholeList = /^SEARCH a USING PRIMARY KEY \(directory_id=\? AND list=\?\)$/
  const walks = await walksDuring(wholeList, async (store) => {
    const { id } = await addDirectory(store)
    const list = await store.beginAccountList(id, 1, 2)
    await store.addAccounts(list, [
      { id: 'a', keys: { external_id: 'x', user_name: 'ann', email: 'ann@acme.example' } },
    ])
    for (const key of matchKeys) await store.accountsByKey(list, key, ['x'])
  })
  assert.deepEqual(walks, [])
})

/** The whole tables that the statements of some calls walk through, each with its statement. */
async function walksDuring(scan: RegExp, work: (store: Store) => Promise<void>): Promise<string[]> {
  const texts = new Set<string>()
  const databases = new Set<DatabaseSync>()
  const { prepare } = DatabaseSync.prototype
  const preparing = mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
    texts.add(text)
    databases.add(this)
    return Reflect.apply(prepare, this, [text])
  })
  // An older key is configured as well, because the search for its secrets has a plan of its own.
  const sealing = createSealing([Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
  const store = openSqliteStore(':memory:', sealing, failOnPurgeError)
  await work(store)
  preparing.mock.restore()
  const [db] = databases
  assert.ok(db)
  const walks = [...texts].flatMap((text) => {
    const steps = /^\s*(select|insert|update|delete|with)/i.test(text)
      ? db.prepare(`explain query plan ${text}`).all()
      : []
    const details = steps.map(({ detail }) => String(detail))
    // The rows of a query in `from` are also scanned.
    const isQuery = (detail: string) => details.includes(detail.replace(/^\w+/, 'CO-ROUTINE'))
    const scans = details.filter((detail) => scan.test(detail) && !isQuery(detail))
    return scans.map((found) => `${found}: ${text}`)
  })
  await store.close()
  return walks
}

test('sqlite: the change of a title writes to no index of the users but that of the last changes', async () => {
  const store = openSqliteStore(':memory:', someSealing(), failOnPurgeError)
  const directory = await addDirectory(store)
  const ann = someUser({ userName: 'ann', externalId: 'ext-1' })
  const { createUser, replaceUser } = writesTo(store, directory)
  committed(await createUser(ann))
  const updates = new Set<string>()
  const { run } = StatementSync.prototype
  const running = mock.method(
    StatementSync.prototype,
    'run',
    function (this: StatementSync, ...values: SQLInputValue[]) {
      if (/^\s*update users /.test(this.sourceSQL)) updates.add(this.sourceSQL)
      return Reflect.apply(run, this, values)
    },
  )
  committed(await replaceUser(ann, changedUser(ann, { title: 'Engineer' })))
  running.mock.restore()
  await store.close()
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const [update = '', ...others] = updates
  assert.deepEqual(others, [])
  const [index] = db.prepare(`select rootpage from sqlite_schema where name = 'users_by_update'`).all()
  const written = db.prepare(`explain ${update}`).all()
  const steps = written.map(({ opcode }) => opcode)
  const opened = written.filter(({ opcode }) => opcode === 'OpenWrite')
  const [{ p1: cursor } = {}] = opened.filter(({ p2 }) => p2 === index?.['rootpage'])
  assert.ok(steps.includes('Insert'), 'the row is written')
  const indexes = written.filter(({ opcode }) => opcode === 'IdxInsert').map(({ p1 }) => p1)
  assert.deepEqual(indexes, [cursor], update)
  db.close()
})

/** The tables that grow with a directory, and their usual aliases. */
const scanOfLargeTable = /^SCAN (users|u|n|groups|g|members|m|user_emails|events)\b(?! VIRTUAL TABLE)/

/**
 * Tables that grow with the number of directories or with time, and their aliases in the statements about them. The
 * index of running syncs is small, because it contains only these.
 */
const scanOfRecords =
  /^SCAN (sync_runs(?! USING INDEX sync_runs_running)|r|operator_notices|admin_tokens|t|admin_users|console_sessions|x(?! USING INDEX dead_events_by_age)|setup_links|spent_authorizations|pending_authorizations|audit_entries|api_keys)\b/
