import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainEnd } from '../../../src/admin/audit/chain.ts'
import { createAudited, hashEntry, sealAfter, sealEnd } from '../../../src/admin/audit/chain.ts'
import type { AuditBreak } from '../../../src/admin/audit/verify.ts'
import { breakText, verifyChain } from '../../../src/admin/audit/verify.ts'
import type { AuditDraft, AuditEnd, AuditEntry, AuditHead } from '../../../src/directory/audit.ts'
import { systemCaller } from '../../../src/directory/audit.ts'

const key = 'a-key-of-the-chain'
const beginning: AuditEnd = { sequence: 0, hash: '', seal: '' }

function draft(given: Partial<AuditDraft> = {}): AuditDraft {
  const target = { kind: 'directory', id: 'directory-1', tenant: 'acme', product: 'crm' } as const
  return { action: 'directory.updated', caller: systemCaller('a test'), target, at: 1_000, ...given }
}

function chainOf(length: number, by = key): AuditEntry[] {
  let [head, ids] = [beginning, 0]
  const audited = createAudited(by, () => `id-${++ids}`)
  return Array.from({ length }, (_, index) => {
    const { entry, seal } = audited(draft({ at: index }))(head)
    head = { sequence: entry.sequence, hash: entry.hash, seal }
    return entry
  })
}

interface Records {
  readonly anchor?: AuditHead & Partial<AuditEnd>
  readonly end?: AuditHead & Partial<AuditEnd>
}

/** A trail whose recorded end and anchor can be wrong. */
function trail(entries: readonly AuditEntry[], { anchor = beginning, ...records }: Records = {}) {
  const { end = entries.at(-1) ?? anchor } = records
  return {
    auditAfter: async (sequence: number, limit: number) =>
      entries.filter((entry) => entry.sequence > sequence).slice(0, Math.min(limit, 3)),
    auditAnchor: async () => sealed('anchor', anchor),
    auditHead: async () => sealed('head', end),
  }
}

/** Seals an end like the service, unless it already has a seal. */
function sealed(which: ChainEnd, { sequence, hash, ...end }: AuditHead & Partial<AuditEnd>): AuditEnd {
  return { sequence, hash, seal: end.seal ?? sealEnd(key, which, { sequence, hash }) }
}

const chain = chainOf(10)
const last = chain.at(-1) ?? beginning
const at = (sequence: number) => chain[sequence - 1] ?? assert.fail()
const without = (...sequences: number[]) => chain.filter(({ sequence }) => !sequences.includes(sequence))
const withEntry = (entry: AuditEntry) => chain.map((one) => (one.sequence === entry.sequence ? entry : one))

/** An entry as someone with the key could write it. */
function resealed(entry: AuditEntry): AuditEntry {
  const { hash: _, ...unsealed } = entry
  return { ...entry, hash: hashEntry(key, unsealed) }
}

test('an untouched chain is intact', async () => {
  const report = { entries: 10, erased: 0, from: 1, to: 10, end: { sequence: 10, hash: last.hash } }
  assert.deepEqual(await verifyChain({ store: trail(chain), key }), report)
})

test('an empty chain is intact', async () => {
  const end = { sequence: 0, hash: '' }
  assert.deepEqual(await verifyChain({ store: trail([]), key }), { entries: 0, erased: 0, from: 0, to: 0, end })
})

test('a chain whose old entries were removed by retention is intact', async () => {
  const store = trail(without(1, 2, 3), { anchor: at(3) })
  const report = { entries: 7, erased: 0, from: 4, to: 10, end: { sequence: 10, hash: last.hash } }
  assert.deepEqual(await verifyChain({ store, key }), report)
})

test('a chain whose entries were all removed by retention is intact', async () => {
  const store = trail([], { anchor: last })
  assert.equal('entries' in (await verifyChain({ store, key })), true)
})

const changedFields: Partial<AuditEntry>[] = [
  { id: 'id-0' },
  { at: 99 },
  { action: 'directory.deleted' },
  { callerKind: 'admin' },
  { callerId: 'somebody' },
  { callerName: undefined },
  { requestId: 'request-1' },
  { address: '192.0.2.1' },
  { targetKind: 'service' },
  { targetId: undefined },
  { tenant: 'other' },
  { product: 'other' },
  { changes: '{}' },
  { salts: '{}' },
  { erased: '{"fields":{},"seal":""}' },
  { previousHash: 'f'.repeat(64) },
  { hash: 'f'.repeat(64) },
]
for (const change of changedFields) {
  test(`detects a change of ${Object.keys(change)}`, async () => {
    const store = trail(withEntry({ ...at(5), ...change }))
    assert.deepEqual(await verifyChain({ store, key }), { sequence: 5, what: 'changed' })
  })
}

test('detects text moved from one field to the next', async () => {
  const store = trail(withEntry({ ...at(5), tenant: 'acm', product: 'ecrm' }))
  assert.deepEqual(await verifyChain({ store, key }), { sequence: 5, what: 'changed' })
})

test('an end that the service did not record is detected after further entries and further retention as well', () => {
  const forged = { ...at(8), seal: 'forged' }
  const { entry, seal } = createAudited(key, () => 'id')(draft())(forged)
  assert.notEqual(seal, sealEnd(key, 'head', entry))
  const again = createAudited(key, () => 'id')(draft())({ ...entry, seal })
  assert.notEqual(again.seal, sealEnd(key, 'head', again.entry))
  assert.notEqual(sealAfter(key, 'anchor', forged, at(9)), sealEnd(key, 'anchor', at(9)))
})

const tampered: { what: string; store: ReturnType<typeof trail>; broken: AuditBreak }[] = [
  { what: 'the first entry was removed', store: trail(without(1)), broken: { sequence: 1, what: 'missing' } },
  {
    what: 'entries in the middle were removed',
    store: trail(without(4, 5)),
    broken: { sequence: 4, what: 'missing' },
  },
  {
    what: 'the last entry was removed',
    store: trail(without(10), { end: last }),
    broken: { sequence: 10, what: 'end' },
  },
  { what: 'every entry was removed', store: trail([], { end: last }), broken: { sequence: 1, what: 'end' } },
  {
    what: 'the record of the end has another hash',
    store: trail(chain, { end: { sequence: 10, hash: 'f' } }),
    broken: { sequence: 11, what: 'end' },
  },
  {
    what: 'the record of the end lies before the last entry',
    store: trail(chain, { end: at(8) }),
    broken: { sequence: 10, what: 'end' },
  },
  {
    what: 'two entries have changed places',
    store: trail(withEntry({ ...at(6), sequence: 5 })),
    broken: { sequence: 5, what: 'changed' },
  },
  {
    what: 'an entry was removed and the others were renumbered',
    store: trail(without(5).map((entry) => ({ ...entry, sequence: entry.sequence - (entry.sequence > 5 ? 1 : 0) }))),
    broken: { sequence: 5, what: 'changed' },
  },
  {
    what: 'an entry was replaced by one that does not follow the previous one',
    store: trail(withEntry(resealed({ ...at(5), previousHash: at(3).hash }))),
    broken: { sequence: 5, what: 'order' },
  },
  {
    what: 'an entry was replaced using the key, and the next one still follows the old one',
    store: trail(withEntry(resealed({ ...at(5), tenant: 'other' }))),
    broken: { sequence: 6, what: 'order' },
  },
  {
    what: 'the anchor is not what the oldest entry follows',
    store: trail(without(1, 2), { anchor: { sequence: 2, hash: 'f' } }),
    broken: { sequence: 3, what: 'order' },
  },
  {
    what: 'the newest entries were removed and the recorded end was set to the last one left',
    store: trail(without(9, 10), { end: { ...at(8), seal: sealEnd(key, 'head', last) } }),
    broken: { sequence: 9, what: 'end' },
  },
  {
    what: 'the recorded end has the seal of the anchor',
    store: trail(without(9, 10), { end: { ...at(8), seal: sealEnd(key, 'anchor', at(8)) } }),
    broken: { sequence: 9, what: 'end' },
  },
  {
    what: 'every entry was removed and the recorded end was set to the beginning',
    store: trail([], { end: { sequence: 0, hash: '', seal: sealEnd(key, 'head', last) } }),
    broken: { sequence: 1, what: 'end' },
  },
  {
    what: 'the oldest entries were removed, not by retention',
    store: trail(without(1, 2), { anchor: { ...at(2), seal: '' } }),
    broken: { sequence: 3, what: 'start' },
  },
  {
    what: 'the whole chain was made without the key',
    store: trail(chainOf(10, 'a guess')),
    broken: { sequence: 1, what: 'changed' },
  },
]
for (const { what, store, broken } of tampered) {
  test(`detects that ${what}`, async () => assert.deepEqual(await verifyChain({ store, key }), broken))
}

test('with an end recorded earlier, detects that the trail was replaced by an older copy of itself', async () => {
  const store = trail(without(9, 10))
  assert.deepEqual(await verifyChain({ store, key, earlier: last }), { sequence: 9, what: 'end' })
})

test('with an end recorded earlier, detects that the newest entries were forged', async () => {
  const other = resealed({ ...at(10), tenant: 'other' })
  const store = trail(withEntry(other), { end: other })
  assert.deepEqual(await verifyChain({ store, key, earlier: last }), { sequence: 10, what: 'changed' })
})

test('a chain that grew since its end was recorded is intact', async () => {
  assert('entries' in (await verifyChain({ store: trail(chain), key, earlier: at(4) })))
})

test('entries that retention removes during a verification are not reported as missing', async () => {
  let isPruned = false
  const [before, after] = [trail(chain), trail(without(1, 2, 3, 4, 5), { anchor: at(5) })]
  const now = () => (isPruned ? after : before)
  const store = {
    auditHead: () => now().auditHead(),
    auditAnchor: () => now().auditAnchor(),
    auditAfter(sequence: number, limit: number) {
      isPruned = true
      return now().auditAfter(sequence, limit)
    },
  }
  assert('entries' in (await verifyChain({ store, key })))
})

for (const what of ['start', 'missing', 'changed', 'order', 'end'] as const) {
  test(`the message of the break "${what}" names the entry`, () => {
    assert.match(breakText({ sequence: 17, what }), /(entry|before) 17/i)
  })
}

test('building an entry twice gives the same entry', () => {
  const write = createAudited(key, () => 'id-1')(draft())
  assert.deepEqual(write(beginning), write(beginning))
})

test('the text of an entry cannot contain line breaks or control characters', () => {
  const caller = { ...systemCaller('a\r\nb\u2028c\u202ed\0'), address: '1\t2', requestId: '\u001b[31m' }
  const changes = { name: { from: 'x\ny', to: '\ud800' } }
  const { entry } = createAudited(key, () => 'id-1')(draft({ caller, changes }))(beginning)
  const { callerName, address, requestId, changes: text } = entry
  assert.deepEqual([callerName, address, requestId], ['a��b�c�d�', '1�2', '�[31m'])
  assert.equal(text, '{"name":{"from":"x�y","to":"�"}}')
})

test('the texts of an entry are limited in length', () => {
  const long = 'x'.repeat(100_000)
  const caller = { ...systemCaller(long, long), address: long }
  const entry = createAudited(key, () => 'id-1')(draft({ caller, changes: { name: { from: long, to: long } } }))(
    beginning,
  )
  assert(JSON.stringify(entry).length < 5_000)
})

test('of changes that are too long, only the field names are recorded', () => {
  const changes = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field-${i}`, { from: 1, to: 2 }]))
  const { changes: text = '' } = createAudited(key, () => 'id-1')(draft({ changes }))(beginning).entry
  assert(text.length < 2_000)
  assert.match(text, /field-0/)
})
