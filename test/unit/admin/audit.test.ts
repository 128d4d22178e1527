import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuditRetention } from '../../../src/admin/audit/audit.ts'
import type { AuditDraft } from '../../../src/directory/audit.ts'
import { systemCaller } from '../../../src/directory/audit.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { openTestManagement, silent, startAt } from './support/management.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

function draft(given: Partial<AuditDraft> = {}): AuditDraft {
  const target = { kind: 'directory', id: 'directory-1', tenant: 'acme', product: 'crm' } as const
  return { action: 'directory.updated', caller: systemCaller('a test'), target, at: startAt, ...given }
}

async function openTrail(drafts: readonly AuditDraft[]) {
  const test = await openTestManagement()
  for (const one of drafts) await test.management.audit.append(one)
  const list = async (query: unknown) => (await test.management.audit.list(query)).rows.map(({ sequence }) => sequence)
  return { test, list, audit: test.management.audit }
}

test('the view of an entry has all its fields', async () => {
  const caller = { kind: 'admin', id: 'user-1', name: 'ada@example.com', requestId: 'r-1', address: '::1' } as const
  const { test, audit } = await openTrail([draft({ caller, changes: { name: { from: 'a', to: 'b' } } })])
  await using _ = test
  const [{ id, hash, ...rest } = { id: '', hash: '' }] = (await audit.list({})).rows
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    sequence: 1,
    at: new Date(startAt).toISOString(),
    action: 'directory.updated',
    actor: { kind: 'admin', id: 'user-1', name: 'ada@example.com' },
    request_id: 'r-1',
    address: '::1',
    target: { kind: 'directory', id: 'directory-1', tenant: 'acme', product: 'crm', name: null, is_deleted: true },
    changes: { name: { from: 'a', to: 'b' } },
    erased: [],
    previous_hash: '',
  })
})

test('the view of an entry has null for missing fields', async () => {
  const { test, audit } = await openTrail([draft({ target: { kind: 'service', id: undefined } })])
  await using _ = test
  const [{ target, changes, address, request_id } = assert.fail()] = (await audit.list({})).rows
  assert.deepEqual(target, { kind: 'service', id: null, tenant: null, product: null, name: null, is_deleted: false })
  assert.deepEqual([changes, address, request_id], [null, null, null])
})

const admin = { kind: 'admin', id: 'user-1', name: 'ada', requestId: undefined, address: undefined } as const
const various = [
  draft(),
  draft({ action: 'directory.deleted', at: startAt + hour }),
  draft({ caller: admin, at: startAt + 2 * hour }),
  draft({ target: { kind: 'directory', id: 'directory-2', tenant: 'acme', product: 'hr' }, at: startAt + 3 * hour }),
]
const isoAt = (hours: number) => new Date(startAt + hours * hour).toISOString()

for (const { query, found } of [
  { query: undefined, found: [4, 3, 2, 1] },
  { query: {}, found: [4, 3, 2, 1] },
  { query: { action: 'directory.deleted' }, found: [2] },
  { query: { actor_kind: 'admin' }, found: [3] },
  { query: { actor_id: 'user-1' }, found: [3] },
  { query: { target_id: 'directory-2' }, found: [4] },
  { query: { tenant: 'acme', product: 'crm' }, found: [3, 2, 1] },
  { query: { product: 'hr' }, found: [4] },
  { query: { tenant: 'nobody' }, found: [] },
  { query: { from: isoAt(2) }, found: [4, 3] },
  { query: { from: startAt + 2 * hour }, found: [4, 3] },
  { query: { from: String(startAt + 2 * hour) }, found: [4, 3] },
  { query: { from: isoAt(0.5), to: isoAt(1.5) }, found: [2] },
]) {
  test(`${JSON.stringify(query)} finds the entries ${found}, newest first`, async () => {
    const { test, list } = await openTrail(various)
    await using _ = test
    assert.deepEqual(await list(query), found)
  })
}

for (const query of [
  ...[{ action: 'nothing' }, { actor_kind: 'root' }, { actor_id: '' }, { tenant: 'a:b' }, { from: 'yesterday' }],
  ...[{ to: '-1' }, { pageLimit: '0' }, { pageLimit: '1001' }, { pageLimit: 'x' }, { pageToken: 'LTE' }, []],
]) {
  test(`${JSON.stringify(query)} is rejected`, async () => {
    const { test, list } = await openTrail([])
    await using _ = test
    await assert.rejects(list(query), { code: 'invalid-input' })
  })
}

test('pages have no gaps while entries are added', async () => {
  const { test, audit } = await openTrail(Array.from({ length: 5 }, () => draft()))
  await using _ = test
  const found: number[] = []
  let pageToken: string | undefined
  do {
    const page = await audit.list({ pageLimit: '2', ...(pageToken === undefined ? {} : { pageToken }) })
    found.push(...page.rows.map(({ sequence }) => sequence))
    pageToken = page.pageToken
    await audit.append(draft())
  } while (pageToken !== undefined)
  assert.deepEqual(found, [5, 4, 3, 2, 1])
})

test('the export has one line per entry, oldest first, the last for itself', async () => {
  const { test, audit } = await openTrail(Array.from({ length: 450 }, () => draft()))
  await using _ = test
  const lines: string[] = []
  for await (const line of audit.exportLines(admin)) lines.push(line)
  const entries = lines.map((line): { sequence: number; action: string } => JSON.parse(line))
  assert.deepEqual(
    entries.map(({ sequence }) => sequence),
    Array.from({ length: 451 }, (_, index) => index + 1),
  )
  assert.equal(entries.at(-1)?.action, 'audit.exported')
  assert(lines.every((line) => line.endsWith('\n')))
})

test('the entries of a service form an intact chain', async () => {
  const { test, audit } = await openTrail(Array.from({ length: 20 }, () => draft()))
  await using _ = test
  await test.login()
  await Promise.all(Array.from({ length: 20 }, () => audit.append(draft())))
  const report = await audit.verify()
  assert.deepEqual({ ...report, end: undefined }, { entries: 41, erased: 0, from: 1, to: 41, end: undefined })
})

test('old entries are removed in the background, and the rest is an intact chain', async () => {
  const drafts = Array.from({ length: 500 }, (_, index) => draft({ at: startAt - (500.5 - index) * hour }))
  const { test, audit } = await openTrail(drafts)
  await using _ = test
  const { store, time } = test
  const key = await store.getOrCreateSecret('audit-chain', 'unused')
  const retention = createAuditRetention({ ...{ store, key, ...time, log: silent, random: () => 0 }, days: 7 })
  retention.start()
  time.advance(0)
  await time.scheduled(50)
  time.advance(50)
  await time.scheduled(30 * minute)
  await retention.close()
  const report = await audit.verify()
  assert.deepEqual({ ...report, end: undefined }, { entries: 167, erased: 0, from: 334, to: 500, end: undefined })
})

test('a failed retention is logged and retried later', async () => {
  const time = createManualTime(startAt)
  const said: string[] = []
  const log = { ...silent, error: (_: object, message: string) => said.push(message) }
  const store = { pruneAudit: () => Promise.reject(new Error('no database')) }
  const retention = createAuditRetention({ ...{ store, key: 'unused', ...time, log, random: () => 0 }, days: 7 })
  retention.start()
  time.advance(0)
  await time.scheduled(30 * minute)
  await retention.close()
  assert.deepEqual(said, ['could not remove old entries of the audit trail; will retry'])
})

test('a retention of 0 days keeps the audit trail forever', async () => {
  const { test, audit } = await openTrail([draft({ at: startAt - 4000 * day })])
  await using _ = test
  test.management.start()
  test.time.advance(day)
  await test.written()
  assert.equal((await audit.list({})).rows.length, 1)
})
