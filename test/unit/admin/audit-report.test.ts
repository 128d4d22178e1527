import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAudited, sealEnd } from '../../../src/admin/audit/chain.ts'
import { auditReport, endText, parseRecordedEnd } from '../../../src/admin/audit/verify.ts'
import type { AuditEnd, AuditEntry } from '../../../src/directory/audit.ts'
import { systemCaller } from '../../../src/directory/audit.ts'

const key = 'a key of tests'
const beginning: AuditEnd = { sequence: 0, hash: '', seal: '' }

/** A trail with this many entries, one per second from 1970 on. */
function trail(count: number) {
  const audited = createAudited(key, () => 'an-id')
  const draft = {
    action: 'audit.exported',
    caller: systemCaller('test'),
    target: { kind: 'service', id: undefined },
  } as const
  const entries: AuditEntry[] = []
  for (let n = 1; n <= count; n += 1) {
    entries.push(audited({ ...draft, at: n * 1000 })({ ...beginning, ...entries.at(-1) }).entry)
  }
  return {
    entries,
    store: {
      auditAnchor: async () => beginning,
      auditHead: async (): Promise<AuditEnd> => {
        const { sequence, hash } = entries.at(-1) ?? beginning
        return { sequence, hash, seal: sealEnd(key, 'head', { sequence, hash }) }
      },
      auditAfter: async (after: number, limit: number) =>
        entries.filter(({ sequence }) => sequence > after).slice(0, limit),
    },
  }
}

test('a report has the times of the first and last entry and the end', async () => {
  const { store, entries } = trail(3)
  assert.deepEqual(await auditReport({ store, key }), {
    ...{ ok: true, entries: 3, erased: 0, from: 1, to: 3 },
    first_at: '1970-01-01T00:00:01.000Z',
    last_at: '1970-01-01T00:00:03.000Z',
    end: { sequence: 3, hash: entries[2]?.hash },
  })
})

test('the report of an empty trail has no times', async () => {
  const report = {
    ok: true,
    entries: 0,
    erased: 0,
    from: 0,
    to: 0,
    first_at: null,
    last_at: null,
    end: { sequence: 0, hash: '' },
  }
  assert.deepEqual(await auditReport({ store: trail(0).store, key }), report)
})

test('a break has a message', async () => {
  const message = 'Entry 1 was changed.'
  const report = await auditReport({ store: trail(2).store, key: 'another key' })
  assert.deepEqual(report, { ok: false, break: { sequence: 1, what: 'changed', message } })
})

test('an end is parsed from its text', () => {
  for (const end of [
    { sequence: 12, hash: 'ab'.repeat(32) },
    { sequence: 0, hash: '' },
  ]) {
    assert.deepEqual(parseRecordedEnd({ end: endText(end) }), end)
  }
})

for (const end of [
  '',
  '12',
  `12:${'a'.repeat(63)}`,
  `012:${'a'.repeat(64)}`,
  `12:${'A'.repeat(64)}`,
  ['1:', '2:'],
  1,
]) {
  test(`rejects the end ${JSON.stringify(end)}`, () => {
    assert.throws(() => parseRecordedEnd({ end }), { code: 'invalid-input' })
  })
}
