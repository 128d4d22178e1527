import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'

/** Work that grows with a number: what is stored, and the operations on it. */
interface Work {
  readonly what: string
  readonly stored: (size: number) => JsonObject
  readonly operations: (size: number) => Json[]
}

function many(size: number, make: (index: number) => Json): Json[] {
  return Array.from({ length: size }, (_, index) => make(index))
}

const address = (index: number) => ({ locality: `city ${index}`, country: 'DE' })
const works: readonly Work[] = [
  {
    what: 'e-mail addresses added to others',
    stored: (size) => ({ emails: many(size, (index) => ({ value: `a${index}@x`, type: 'work' })) }),
    operations: (size) => [{ op: 'add', path: 'emails', value: many(size, (index) => ({ value: `b${index}@x` })) }],
  },
  {
    what: 'the same value added under many types',
    stored: (size) => ({ emails: many(size, (index) => ({ value: 'a@x', type: `a${index}` })) }),
    operations: (size) => [
      { op: 'add', path: 'emails', value: many(size, (index) => ({ value: 'a@x', type: `b${index}` })) },
    ],
  },
  {
    what: 'addresses, which have no value, added to others',
    stored: (size) => ({ addresses: many(size, address) }),
    operations: (size) => [{ op: 'add', path: 'addresses', value: many(size, (index) => address(size + index)) }],
  },
  {
    what: 'addresses removed by a list',
    stored: (size) => ({ addresses: many(size, address) }),
    operations: (size) => [{ op: 'remove', path: 'addresses', value: many(size, (index) => address(size + index)) }],
  },
  {
    what: 'every value made primary',
    stored: (size) => ({ emails: many(size, (index) => ({ value: `a${index}@x` })) }),
    operations: () => [{ op: 'replace', path: 'emails.primary', value: true }],
  },
]

/** The shortest of a few runs: the others were kept from the processor. */
function shortestMs({ stored, operations }: Work, size: number): number {
  const resource = { userName: 'ann', ...stored(size) }
  const body = { Operations: operations(size) }
  const runs = [1, 2, 3, 4, 5].map(() => {
    const start = performance.now()
    applyPatch(userType, resource, parsePatch(body, userType))
    return performance.now() - start
  })
  return Math.min(...runs)
}

for (const work of works) {
  test(`the time for ${work.what} grows with their number, not with its square`, () => {
    const [few, eightTimes] = [shortestMs(work, 1000), shortestMs(work, 8000)]
    // In proportion it is 8 times as long, by the square 64 times.
    assert.ok(eightTimes < 36 * Math.max(few, 0.5), `${few} ms for 1,000, ${eightTimes} ms for 8,000`)
  })
}

for (const { what, stored, operations } of [
  {
    what: 'many conditions on many values',
    stored: { emails: many(500, (index) => ({ value: `a${index}@x` })) },
    operations: many(50, () => ({
      op: 'remove',
      path: `emails[${many(200, (index) => `value eq "b${index}"`).join(' or ')}]`,
    })),
  },
  {
    what: 'many operations on a long list',
    stored: { emails: many(5000, (index) => ({ value: `a${index}@x` })) },
    operations: many(1000, (index) => ({ op: 'add', path: 'emails', value: [{ value: `b${index}@x` }] })),
  },
  {
    what: 'many operations on a long text that they bring',
    stored: {},
    operations: many(100, () => ({ op: 'add', path: 'title', value: 'x'.repeat(10_000) })),
  },
]) {
  test(`${what} are refused before anything is done`, () => {
    const parsed = parsePatch({ Operations: operations }, userType)
    const patch = () => applyPatch(userType, { userName: 'ann', ...stored }, parsed)
    assert.throws(patch, { status: 400, scimType: 'invalidValue', message: /^This PATCH is too expensive/ })
  })
}

test('a thousand operations on a usual user are no trouble', () => {
  const operations = many(1000, (index) => ({ op: 'replace', path: 'title', value: `T${index}` }))
  const resource = { userName: 'ann', emails: many(10, (index) => ({ value: `a${index}@x` })) }
  assert.equal(applyPatch(userType, resource, parsePatch({ Operations: operations }, userType))['title'], 'T999')
})
