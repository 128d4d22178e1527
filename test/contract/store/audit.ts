import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { AuditFilter, SealAnchor } from '../../../src/admin/audit/audit-store.ts'
import type { AuditEntry } from '../../../src/directory/audit.ts'
import type { Store } from '../../../src/store/store.ts'
import { chainOf, someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'
import { addDirectory } from './samples.ts'

const end = Number.MAX_SAFE_INTEGER
const sealAnchor: SealAnchor = (previous, { sequence }) => `${previous.sequence} to ${sequence}`
const hour = 3_600_000

async function append(store: Store, ...given: readonly Partial<AuditEntry>[]): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (const one of given) entries.push(await store.appendAudit(someAudit(one)))
  return entries
}

const numbers = (entries: readonly AuditEntry[]) => entries.map(({ sequence }) => sequence)

/** The entries, 1 to 6, for the filters of the table below. */
const various: readonly Partial<AuditEntry>[] = [
  { action: 'admin.login', callerKind: 'admin', callerId: 'ann', callerName: 'Ann', at: 1 * hour },
  {
    action: 'directory.created',
    callerKind: 'admin',
    callerId: 'bob',
    targetId: 'd1',
    tenant: 'acme',
    product: 'crm',
    at: 2 * hour,
  },
  {
    action: 'directory.created',
    callerKind: 'api-key',
    callerId: 'k1',
    targetId: 'd2',
    tenant: 'acme',
    product: 'erp',
    at: 3 * hour,
  },
  {
    action: 'directory.updated',
    callerKind: 'api-key',
    callerId: 'k1',
    targetId: 'd1',
    tenant: 'acme',
    product: 'crm',
    at: 4 * hour,
  },
  {
    action: 'directory.updated',
    callerKind: 'admin',
    callerId: 'ann',
    callerName: 'Ann',
    targetId: 'd3',
    tenant: 'zen',
    product: 'crm',
    at: 6 * hour,
  },
  {
    action: 'directory.deleted',
    callerKind: 'system',
    targetId: 'd3',
    tenant: 'zen',
    product: 'crm',
    at: 5 * hour + 1,
  },
]

const filters: readonly { filter: AuditFilter; found: readonly number[] }[] = [
  { filter: {}, found: [6, 5, 4, 3, 2, 1] },
  { filter: { action: 'directory.created' }, found: [3, 2] },
  { filter: { callerKind: 'api-key' }, found: [4, 3] },
  { filter: { callerId: 'ann' }, found: [5, 1] },
  { filter: { callerName: 'Ann' }, found: [5, 1] },
  { filter: { targetId: 'd1' }, found: [4, 2] },
  { filter: { tenant: 'acme' }, found: [4, 3, 2] },
  { filter: { product: 'crm' }, found: [6, 5, 4, 2] },
  { filter: { tenant: 'acme', product: 'crm' }, found: [4, 2] },
  { filter: { action: 'directory.updated', callerKind: 'admin' }, found: [5] },
  { filter: { callerKind: 'admin', product: 'crm' }, found: [5, 2] },
  { filter: { targetId: 'd1', callerId: 'k1', action: 'directory.updated', tenant: 'acme' }, found: [4] },
  { filter: { from: 3 * hour }, found: [6, 5, 4, 3] },
  { filter: { to: 3 * hour }, found: [3, 2, 1] },
  { filter: { from: 5 * hour, to: 5 * hour + 1 }, found: [6] },
  { filter: { from: 6 * hour }, found: [5] },
  { filter: { to: 5 * hour + 1, tenant: 'zen' }, found: [6] },
  { filter: { from: 2 * hour, to: 4 * hour, product: 'crm' }, found: [4, 2] },
  { filter: { from: 99 * hour }, found: [] },
  { filter: { to: 0 }, found: [] },
  { filter: { tenant: 'nobody' }, found: [] },
  { filter: { callerId: 'with \0 NUL' }, found: [] },
]

export function auditContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: the head and the anchor of an empty audit trail are the same`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const beginning = { sequence: 0, hash: '', seal: '' }
    assert.deepEqual(await store.auditHead(), beginning)
    assert.deepEqual(await store.auditAnchor(), beginning)
    assert.deepEqual(await store.listAudit({}, end, 9), [])
    assert.equal(await store.pruneAudit(end, 9, sealAnchor), 0)
  })

  test(`${engine}: an entry is read back unchanged`, async () => {
    const store = await openStore()
    const everything: Partial<AuditEntry> = {
      ...{ action: 'directory.created', callerKind: 'api-key', callerId: 'k1', callerName: 'The é 𝒳 key' },
      ...{ requestId: 'request-1', address: '::1', targetKind: 'directory', targetId: 'd1', tenant: 'a', product: 'b' },
      changes: '{"name":{"from":null,"to":"\\u0000 é"}}',
      ...{ salts: '{"address":"s"}', erased: '{"fields":{},"seal":""}' },
    }
    const written = await append(store, everything, {})
    assert.deepEqual(await store.auditAfter((written[0]?.sequence ?? 0) - 1, 2), written)
    assert.deepEqual(await store.listAudit({}, end, 2), written.toReversed())
  })

  test(`${engine}: concurrent changes form one chain without gaps`, async () => {
    const store = await openStore()
    const directories = await Promise.all(Array.from({ length: 6 }, () => addDirectory(store)))
    const change = { apply: <T>(state: T) => state, endsLease: true }
    const entries = await writtenBy(store, () =>
      Promise.all([
        ...directories.map((one) => store.replaceDirectory({ ...one, revision: 2 }, someAudit())),
        ...directories.map(({ id }) => store.changeStream(id, 'endpoint', change, someAudit())),
        ...directories.map(() => store.appendAudit(someAudit())),
        ...directories.map(({ id }) =>
          store.beginResync({ directoryId: id, syncId: id, requestId: 'request-9', startedAt: 1 }, someAudit()),
        ),
      ]),
    )
    assert.equal(entries.length, 24)
    await chainOf(store)
  })

  test(`${engine}: a failed entry leaves the chain unchanged`, async () => {
    const store = await openStore()
    const before = await store.auditHead()
    const failing = () => assert.fail('no entry is made')
    await assert.rejects(store.appendAudit(failing), /no entry/)
    assert.deepEqual(await store.auditHead(), before)
  })

  test(`${engine}: every filter finds the matching entries, newest first`, async (t) => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    await append(store, ...various)
    for (const { filter, found } of filters) {
      await t.test(JSON.stringify(filter), async () => {
        assert.deepEqual(numbers(await store.listAudit(filter, end, 9)), found)
      })
    }
  })

  test(`${engine}: the next page of a listing continues before the last entry`, async () => {
    const store = await openStore()
    const product = uuidv7()
    const [first, , third, last] = await append(store, { product }, {}, { product }, { product })
    const list = (before: number) => store.listAudit({ product }, before, 2)
    assert.deepEqual(await list(end), [last, third])
    assert.deepEqual(await list(third?.sequence ?? 0), [first])
    assert.deepEqual(await list(first?.sequence ?? 0), [])
  })

  test(`${engine}: personal fields are erased from entries of a part of the trail, which stays one chain`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const named = { callerName: 'ann', address: '::1', changes: '{}', salts: '{"address":"s"}' }
    const written = await append(store, named, {}, named, named)
    const erased = (entry: AuditEntry) =>
      entry.callerName === undefined
        ? undefined
        : { ...entry, callerName: undefined, address: undefined, changes: undefined, salts: '{}', erased: 'address' }
    assert.equal(await store.eraseInAudit(1, 2, erased), 1)
    const expected = written.map((entry) => (entry.sequence === 3 ? { ...entry, ...erased(entry) } : entry))
    assert.deepEqual(await chainOf(store), expected)
    assert.equal(await store.eraseInAudit(0, 9, erased), 2)
    assert.equal(await store.eraseInAudit(0, 9, erased), 0)
  })

  test(`${engine}: old entries are pruned from the oldest on, and the rest is still a valid chain`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const written = await append(store, ...[1, 2, 9, 3, 10].map((at) => ({ at })))
    assert.equal(await store.pruneAudit(5, 1, sealAnchor), 1)
    assert.deepEqual(await store.auditAnchor(), { sequence: 1, hash: written[0]?.hash, seal: '0 to 1' })
    assert.equal(await store.pruneAudit(5, 9, sealAnchor), 1, 'up to the first that is recent enough')
    assert.equal((await store.auditAnchor()).seal, '1 to 2', 'the previous anchor is known')
    assert.equal(await store.pruneAudit(5, 9, sealAnchor), 0)
    assert.deepEqual(await chainOf(store), written.slice(2))
  })

  test(`${engine}: the chain continues after every entry was pruned`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    await append(store, { at: 1 }, { at: 2 })
    assert.equal(await store.pruneAudit(5, 9, sealAnchor), 2)
    const [anchor, head] = [await store.auditAnchor(), await store.auditHead()]
    assert.deepEqual([anchor.sequence, anchor.hash], [head.sequence, head.hash])
    await append(store, {})
    assert.deepEqual(numbers(await chainOf(store)), [3])
  })
}
