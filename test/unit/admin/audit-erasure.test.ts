import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAudited, sealEnd } from '../../../src/admin/audit/chain.ts'
import { auditEntryView } from '../../../src/admin/audit/entry-view.ts'
import { withoutPerson } from '../../../src/admin/audit/erasure.ts'
import { verifyChain } from '../../../src/admin/audit/verify.ts'
import type { AuditChanges, AuditEnd, AuditEntry } from '../../../src/directory/audit.ts'
import { cases } from '../../support/extent.ts'

const key = 'a-key-of-the-chain'
const beginning: AuditEnd = { sequence: 0, hash: '', seal: '' }

/** What an entry says about people. */
interface Said {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly changes?: AuditChanges | undefined
}

/** A trail of entries, oldest first. */
function trailOf(said: readonly Said[]): AuditEntry[] {
  const entries: AuditEntry[] = []
  const audited = createAudited(key, () => `id-${entries.length}`)
  for (const one of said) {
    const caller = { kind: 'admin', id: 'admin-1', name: one.name, requestId: 'r', address: one.address } as const
    const target = { kind: 'directory', id: 'directory-1', tenant: 'acme', product: 'crm' } as const
    const draft = { action: 'directory.updated', caller, target, changes: one.changes, at: 1 } as const
    const { entry } = audited(draft)({ ...beginning, ...entries.at(-1) })
    entries.push(entry)
  }
  return entries
}

function personNamed(terms: readonly string[], others: readonly string[] = []) {
  const search = (searched: readonly string[]) => (text: string) =>
    searched.some((one) => text.toLowerCase().includes(one.toLowerCase()))
  return { tenant: 'acme', product: 'crm', isNamedIn: search(terms), isMentionedIn: search(others) }
}

function erase(entries: readonly AuditEntry[], ...terms: string[]): AuditEntry[] {
  return entries.map((entry) => withoutPerson(key, entry, personNamed(terms)) ?? entry)
}

function verified(entries: readonly AuditEntry[]) {
  const end = entries.at(-1) ?? beginning
  const store = {
    auditAfter: async (after: number, limit: number) =>
      entries.filter(({ sequence }) => sequence > after).slice(0, limit),
    auditAnchor: async () => beginning,
    auditHead: async () => ({ sequence: end.sequence, hash: end.hash, seal: sealEnd(key, 'head', end) }),
  }
  return verifyChain({ store, key })
}

const ann = 'ann@acme.example'

test('an entry loses what names a person, and the chain stays valid', async () => {
  const changes = { email: { from: null, to: `${ann}, bob` }, name: { from: 'x', to: 'y' } }
  const entries = trailOf([{ name: 'bob' }, { name: 'Ann@ACME.example', address: '192.0.2.7', changes }, {}])
  const erased = erase(entries, ann)
  assert.deepEqual(erased[0], entries[0])
  assert.equal(erased[1]?.hash, entries[1]?.hash)
  const view = auditEntryView(erased[1] ?? assert.fail())
  assert.deepEqual([view.actor, view.address], [{ kind: 'admin', id: 'admin-1', name: null }, null])
  assert.deepEqual(view.changes, { name: { from: 'x', to: 'y' } })
  assert.deepEqual(view.erased, ['actor.name', 'address', 'changes.email'])
  assert.doesNotMatch(JSON.stringify(erased), /ann@|192\.0\.2/i)
  for (const salt of Object.values<string>(JSON.parse(entries[1]?.salts ?? '{}')).slice(0, 3)) {
    assert(!JSON.stringify(erased).includes(salt), 'the salts of erased fields are erased')
  }
  for (const one of Object.values<string>(JSON.parse(erased[1]?.erased ?? '').fields)) assert.match(one, /^[\w-]{43}$/)
  const chain = await verified(erased)
  assert.deepEqual('entries' in chain && [chain.entries, chain.erased], [3, 1])
})

test('further fields of an entry can be erased later', async () => {
  const changes = { a: { from: null, to: 'ann' }, b: { from: null, to: 'bob' }, c: { from: null, to: 'c' } }
  const once = erase(trailOf([{ name: 'zed', changes }]), 'ann')
  const twice = erase(once, 'bob')
  assert.deepEqual(auditEntryView(twice[0] ?? assert.fail()).erased, ['changes.a', 'changes.b'])
  assert.deepEqual(erase(twice, 'ann', 'bob'), twice, 'a repetition changes nothing')
  assert('entries' in (await verified(twice)))
})

test('what is only about the person is erased from entries that name the person', () => {
  const changes = { a: { from: null, to: 'Sales' }, b: { from: null, to: ann } }
  const erased = trailOf([{ changes }, { changes: { a: { from: null, to: 'Sales' } } }]).map((entry) =>
    withoutPerson(key, entry, personNamed([ann], ['sales'])),
  )
  assert.deepEqual(auditEntryView(erased[0] ?? assert.fail()).erased, ['changes.a', 'changes.b'])
  assert.equal(erased[1], undefined)
})

test('entries about other tenants and products are left alone', () => {
  const [entry = assert.fail()] = trailOf([{ name: ann }])
  assert.equal(withoutPerson(key, entry, { ...personNamed([ann]), tenant: 'globex' }), undefined)
  assert.equal(withoutPerson(key, entry, { ...personNamed([ann]), product: 'erp' }), undefined)
  const service = { ...entry, tenant: undefined, product: undefined }
  assert.notEqual(withoutPerson(key, service, { ...personNamed([ann]), tenant: 'globex' }), undefined)
})

test('an erasure does not make a changed entry valid', async () => {
  const changed = trailOf([{ name: ann, changes: { a: { from: 1, to: 2 } } }]).map((entry) => ({
    ...entry,
    action: 'directory.deleted' as const,
  }))
  assert.deepEqual(await verified(erase(changed, ann)), { sequence: 1, what: 'changed' })
})

const text = fc.constantFrom('ann', 'bob', ann, '192.0.2.1', 'Zoë', 'https://x.example/?u=ann')
const change = fc.record({ from: fc.option(text), to: fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 2 })) })
const said = fc.record({
  name: fc.option(text, { nil: undefined }),
  address: fc.option(text, { nil: undefined }),
  changes: fc.option(fc.dictionary(fc.constantFrom('a', '1', '__proto__', 'é'), change), { nil: undefined }),
})
const erasures = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 3 })
const trails = fc.tuple(fc.array(said, { minLength: 1, maxLength: 6 }), erasures)

/** A trail to which entries were added between erasures. */
function history([said, erasures]: readonly [readonly Said[], readonly string[][]]): AuditEntry[] {
  return erasures.reduce((entries, terms) => erase(entries, ...terms), trailOf(said))
}

test('the chain is valid after any erasures, and holds none of their terms', async () => {
  await fc.assert(
    fc.asyncProperty(trails, async (trail) => {
      const entries = history(trail)
      assert('entries' in (await verified(entries)))
      const { isNamedIn } = personNamed(trail[1].flat())
      for (const { callerName = '', changes = '{}' } of entries) assert(!isNamedIn(callerName) && !isNamedIn(changes))
    }),
    { numRuns: 200 },
  )
})

/** The ways to change an entry without the key; undefined where it changes nothing. */
const edits: readonly ((entry: AuditEntry) => AuditEntry | undefined)[] = [
  (entry) => (entry.callerName === undefined ? { ...entry, callerName: 'eve' } : { ...entry, callerName: undefined }),
  (entry) => (entry.address === undefined ? { ...entry, address: '::1' } : { ...entry, address: undefined }),
  (entry) => ({ ...entry, callerId: 'eve' }),
  (entry) => ({ ...entry, changes: entry.changes === undefined ? '{"a":{"from":1,"to":9}}' : `${entry.changes} ` }),
  (entry) => ({ ...entry, changes: entry.changes === undefined ? '{}' : undefined }),
  (entry) => ({ ...entry, salts: `${entry.salts} ` }),
  (entry) => ({ ...entry, salts: entry.salts.replace('{', '{"x":"y",') }),
  (entry) => (entry.erased === undefined ? undefined : { ...entry, erased: undefined }),
  (entry) =>
    entry.erased === undefined
      ? undefined
      : { ...entry, erased: entry.erased.replace('"fields":{"', '"fields":{"x":"","') },
  (entry) => withoutPerson('another key', entry, { ...personNamed([]), isNamedIn: () => true }),
]

test('any other change of an entry is found', async () => {
  await fc.assert(
    fc.asyncProperty(trails, fc.nat(), fc.constantFrom(...edits), async (trail, index, edit) => {
      const entries = history(trail)
      const at = index % entries.length
      const before = entries[at] ?? assert.fail()
      const after = edit(before)
      if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) return
      assert.deepEqual(await verified(entries.with(at, after)), { sequence: at + 1, what: 'changed' })
    }),
    { numRuns: cases(500) },
  )
})
