import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { isObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'

/** A stored resource and operations on it, both of a given size. */
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
    what: 'adding emails to a list',
    stored: (size) => ({ emails: many(size, (index) => ({ value: `a${index}@x`, type: 'work' })) }),
    operations: (size) => [{ op: 'add', path: 'emails', value: many(size, (index) => ({ value: `b${index}@x` })) }],
  },
  {
    what: 'adding 1,000 emails one by one, between phone numbers',
    stored: (size) => ({ emails: many(size, (index) => ({ value: `a${index}@x`, type: 'work' })) }),
    operations: () =>
      many(1000, (index) => ({
        op: 'add',
        path: index % 10 === 0 ? 'phoneNumbers' : 'emails',
        value: [{ value: `b${index}@example.com`, type: 'work', primary: index % 7 === 0 }],
      })),
  },
  {
    what: 'adding the same value with many types',
    stored: (size) => ({ emails: many(size, (index) => ({ value: 'a@x', type: `a${index}` })) }),
    operations: (size) => [
      { op: 'add', path: 'emails', value: many(size, (index) => ({ value: 'a@x', type: `b${index}` })) },
    ],
  },
  {
    what: 'adding addresses, which have no value',
    stored: (size) => ({ addresses: many(size, address) }),
    operations: (size) => [{ op: 'add', path: 'addresses', value: many(size, (index) => address(size + index)) }],
  },
  {
    what: 'removing a list of addresses',
    stored: (size) => ({ addresses: many(size, address) }),
    operations: (size) => [{ op: 'remove', path: 'addresses', value: many(size, (index) => address(size + index)) }],
  },
  {
    what: 'making every element primary',
    stored: (size) => ({ emails: many(size, (index) => ({ value: `a${index}@x` })) }),
    operations: () => [{ op: 'replace', path: 'emails.primary', value: true }],
  },
]

/** The number of times that applying the operations reads a property of a stored element. */
function countReads({ stored, operations }: Work, size: number): number {
  let reads = 0
  const handler: ProxyHandler<JsonObject> = {
    get: (target, name) => {
      reads += 1
      return Reflect.get(target, name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      reads += 1
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
  }
  const counted = Object.entries(stored(size)).map(([name, values]) => {
    const elements = Array.isArray(values) ? values.filter(isObject) : []
    return [name, elements.map((element) => new Proxy(element, handler))] as const
  })
  const resource = { userName: 'ann', ...Object.fromEntries(counted) }
  applyPatch(userType, resource, parsePatch({ Operations: operations(size) }, userType))
  return reads
}

for (const work of works) {
  test(`the cost of ${work.what} is linear`, () => {
    const [few, eightTimes] = [countReads(work, 1000), countReads(work, 8000)]
    assert.ok(few >= 1000, 'every element is read')
    assert.ok(eightTimes < 9 * few, `${few} reads for 1,000, ${eightTimes} for 8,000`)
  })
}

/** The numbers of property names that are listed, and folded, during work. */
function countNames(work: () => unknown): number {
  let names = 0
  const { keys } = Object
  const listing = mock.method(Object, 'keys', (object: object) => {
    const listed = keys(object)
    names += listed.length
    return listed
  })
  const { toLowerCase } = String.prototype
  const folding = mock.method(String.prototype, 'toLowerCase', function (this: string) {
    names += 1
    return Reflect.apply(toLowerCase, this, [])
  })
  work()
  listing.mock.restore()
  folding.mock.restore()
  return names
}

const attributes: Readonly<Record<string, (index: number) => string>> = {
  'extensions of unknown schemas': (index) => `urn:acme:schemas:${index}:User:badge`,
  'attributes of an unknown extension': (index) => `urn:acme:schemas:2.0:User:badge${index}`,
  'sub-attributes of an unknown attribute': (index) => `urn:acme:schemas:2.0:User:badge.part${index}`,
}

for (const [what, pathOf] of Object.entries(attributes)) {
  for (const op of ['add', 'remove']) {
    test(`the cost of ${op === 'add' ? 'adding' : 'removing'} ${what} is linear`, () => {
      const patch = (size: number) => {
        const paths = many(size, pathOf).map(String)
        const adding = parsePatch({ Operations: paths.map((path) => ({ op: 'add', path, value: 'x' })) }, userType)
        const full = applyPatch(userType, { userName: 'ann' }, adding)
        const removing = parsePatch({ Operations: paths.map((path) => ({ op: 'remove', path })) }, userType)
        return countNames(() =>
          op === 'add' ? applyPatch(userType, { userName: 'ann' }, adding) : applyPatch(userType, full, removing),
        )
      }
      const [few, eightTimes] = [patch(25), patch(200)]
      assert.ok(few >= 25, 'every name is looked up')
      assert.ok(eightTimes < 9 * few, `${few} names for 25, ${eightTimes} for 200`)
    })
  }

  test(`the cost of parsing a body with ${what} is linear`, () => {
    const parse = (size: number) => {
      const body = Object.fromEntries(many(size, pathOf).map((path) => [String(path), 'x']))
      return countNames(() => parseResource(userType, { userName: 'ann', ...body }))
    }
    const [few, eightTimes] = [parse(50), parse(400)]
    assert.ok(eightTimes < 9 * few, `${few} names for 50, ${eightTimes} for 400`)
  })
}

for (const { what, stored, operations } of [
  {
    what: 'many conditions on a long list',
    stored: { emails: many(500, (index) => ({ value: `a${index}@x` })) },
    operations: many(50, () => ({
      op: 'remove',
      path: `emails[${many(200, (index) => `value eq "b${index}"`).join(' or ')}]`,
    })),
  },
  {
    what: 'many operations on a long list',
    stored: { emails: many(5000, (index) => ({ value: `a${index}@x` })) },
    operations: many(1000, (index) => ({ op: 'remove', path: 'emails', value: [{ value: `b${index}@x` }] })),
  },
  {
    what: 'conditions on text that takes long to fold',
    stored: { emails: many(500, (index) => ({ value: `${'İ'.repeat(200)}${index}` })) },
    operations: many(10, (index) => ({ op: 'remove', path: `emails[value eq "İ${index}"]` })),
  },
  {
    what: 'many operations with a long text',
    stored: {},
    operations: many(100, () => ({ op: 'add', path: 'title', value: 'x'.repeat(10_000) })),
  },
]) {
  test(`rejects ${what} before applying anything`, () => {
    const parsed = parsePatch({ Operations: operations }, userType)
    const patch = () => applyPatch(userType, { userName: 'ann', ...stored }, parsed)
    assert.throws(patch, { status: 400, scimType: 'invalidValue', message: /^This PATCH is too expensive/ })
  })
}

test('accepts a thousand operations on an ordinary user', () => {
  const operations = many(1000, (index) => ({ op: 'replace', path: 'title', value: `T${index}` }))
  const resource = { userName: 'ann', emails: many(10, (index) => ({ value: `a${index}@x` })) }
  assert.equal(applyPatch(userType, resource, parsePatch({ Operations: operations }, userType))['title'], 'T999')
})
