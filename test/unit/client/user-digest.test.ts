import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sha256 } from '../../../src/client/sha256.ts'
import type { ComparedText } from '../../../src/client/user-digest.ts'
import { bucketOf, createBucketDigests, userDigest } from '../../../src/client/user-digest.ts'
import { cases } from '../../support/extent.ts'

const hexOf = (digest: bigint) => digest.toString(16).padStart(64, '0')

/** Computed by another program, for implementations in other languages. */
const vectors = [
  {
    id: '01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001',
    texts: ['true', 'bjensen@acme.example', 'Bärbel', '', null, 'admin,member'],
    digest: '48b8fe6703ea2a2fe042e61f2a9528f209b2836be72960b67ca52d7b12484c27',
    buckets: [6, 246, 502],
  },
  {
    id: '01980c5e-8f5c-7a10-9d3c-5b1f0a3ca002',
    texts: ['false', '李@acme.example', '', '', 'acct_8231', ''],
    digest: '5967e45c1e3c44a5ecffe88250eb5e57d21bfb4e5e385a4662a5ea176368ab31',
    buckets: [10, 26, 3866],
  },
] as const

for (const { id, texts, digest, buckets } of vectors) {
  test(`the digest and the buckets of the user ${id} are as documented`, () => {
    assert.equal(hexOf(userDigest(id, texts)), digest)
    assert.deepEqual(
      [16, 256, 4096].map((count) => bucketOf(id, count)),
      buckets,
    )
  })
}

test('the digest of a bucket is the exclusive or of those of its users, and zeros without users', () => {
  const [one, other] = vectors
  const digests = createBucketDigests(16)
  for (const { id, texts } of [one, other, one]) digests.add(id, texts)
  const list = digests.list()
  assert.deepEqual(list[10], { count: 1, digest: other.digest })
  assert.deepEqual(list[6], { count: 2, digest: '0'.repeat(64) })
  assert.deepEqual(list[0], { count: 0, digest: '0'.repeat(64) })
})

test('SHA-256 equals that of Node.js', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.deepEqual(sha256(bytes), new Uint8Array(createHash('sha256').update(bytes).digest()))
    }),
  )
})

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 12 }))
const someUsers = fc.uniqueArray(fc.record({ id: fc.uuid(), texts: fc.tuple(text, text) }), {
  selector: ({ id }) => id,
  minLength: 1,
  maxLength: 40,
})

function digestsOf(
  users: readonly { readonly id: string; readonly texts: readonly ComparedText[] }[],
  buckets: number,
) {
  const digests = createBucketDigests(buckets)
  for (const { id, texts } of users) digests.add(id, texts)
  return digests
}

test('the digests do not depend on the order of users, and can be folded to fewer buckets', () => {
  const shuffled = someUsers.chain((users) =>
    fc.tuple(fc.constant(users), fc.shuffledSubarray(users, { minLength: users.length })),
  )
  fc.assert(
    fc.property(shuffled, ([users, others]) => {
      assert.deepEqual(digestsOf(others, 64).list(), digestsOf(users, 64).list())
      assert.deepEqual(digestsOf(users, 64).list(16), digestsOf(users, 16).list())
    }),
    { numRuns: cases(1_000) },
  )
})

test('a field that changes, also between an empty text and none, or to another field, changes its bucket alone', () => {
  fc.assert(
    fc.property(someUsers, text, fc.nat(), (users, value, at) => {
      const changed = users[at % users.length]
      if (changed === undefined) return
      const texts: readonly ComparedText[] = [value, changed.texts[0]]
      if (texts.every((one, index) => one === changed.texts[index])) return
      const before = digestsOf(users, 16).list()
      const after = digestsOf(
        users.with(at % users.length, { ...changed, texts: [texts[0] ?? null, texts[1] ?? null] }),
        16,
      ).list()
      const differing = after.flatMap(({ digest }, bucket) => (digest === before[bucket]?.digest ? [] : [bucket]))
      assert.deepEqual(differing, [bucketOf(changed.id, 16)])
    }),
    { numRuns: cases(1_000) },
  )
})
