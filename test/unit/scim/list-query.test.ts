import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import { defaultCount, maxCount } from '../../../src/scim/limits.ts'
import type { ListQuery, PageQuery } from '../../../src/scim/list-query.ts'
import { parseListQuery, parseSearchRequest } from '../../../src/scim/list-query.ts'
import { listResponse, listResponseEnvelope } from '../../../src/scim/messages.ts'

const indexPage = (startIndex: number, count = defaultCount): PageQuery => ({ kind: 'index', startIndex, count })
const cursorPage = (cursor: string, count = defaultCount): PageQuery => ({ kind: 'cursor', cursor, count })

const defaults: ListQuery = {
  filter: undefined,
  sortBy: undefined,
  sortOrder: 'ascending',
  page: indexPage(1),
  attributes: [],
  excludedAttributes: [],
}

const queries: { query: Record<string, unknown>; gives: Partial<ListQuery> }[] = [
  { query: {}, gives: {} },
  { query: { unknown: 'x' }, gives: {} },
  { query: { filter: 'userName eq "ann"' }, gives: { filter: 'userName eq "ann"' } },
  {
    query: { FILTER: 'active eq true', startindex: '2', Count: '5' },
    gives: { filter: 'active eq true', page: indexPage(2, 5) },
  },
  { query: { startIndex: '0' }, gives: { page: indexPage(1) } },
  { query: { startIndex: '-3' }, gives: { page: indexPage(1) } },
  { query: { startIndex: '9'.repeat(400) }, gives: { page: indexPage(Number.MAX_SAFE_INTEGER) } },
  { query: { count: '0' }, gives: { page: indexPage(1, 0) } },
  { query: { count: '-1' }, gives: { page: indexPage(1, 0) } },
  { query: { count: '1001' }, gives: { page: indexPage(1, maxCount) } },
  { query: { count: ' 7' }, gives: { page: indexPage(1, 7) } },
  { query: { cursor: '' }, gives: { page: cursorPage('') } },
  { query: { cursor: null, startIndex: 2 }, gives: { page: indexPage(2) } },
  { query: { Cursor: 'abc', count: '1000' }, gives: { page: cursorPage('abc', maxCount) } },
  { query: { cursor: 'abc', count: '-1' }, gives: { page: cursorPage('abc', 0) } },
  { query: { sortBy: 'userName', sortOrder: 'DESCENDING' }, gives: { sortBy: 'userName', sortOrder: 'descending' } },
  { query: { sortBy: '', sortOrder: '' }, gives: {} },
  { query: { attributes: 'userName, emails' }, gives: { attributes: ['userName', 'emails'] } },
  {
    query: { excludedattributes: ['members', 'meta,name'] },
    gives: { excludedAttributes: ['members', 'meta', 'name'] },
  },
]

for (const { query, gives } of queries) {
  test(`reads the query ${JSON.stringify(query).slice(0, 80)}`, () => {
    assert.deepEqual(parseListQuery(query), { ...defaults, ...gives })
  })
}

const refused: { query: Record<string, unknown>; scimType: string; says: RegExp }[] = [
  { query: { filter: '' }, scimType: 'invalidFilter', says: /^filter must not be empty/ },
  { query: { filter: '  ' }, scimType: 'invalidFilter', says: /^filter must not be empty/ },
  { query: { filter: ['a pr', 'b pr'] }, scimType: 'invalidFilter', says: /^filter must not be empty/ },
  { query: { startIndex: 'one' }, scimType: 'invalidValue', says: /^startIndex must be an integer\.$/ },
  { query: { startIndex: '1.5' }, scimType: 'invalidValue', says: /^startIndex must be an integer\.$/ },
  { query: { count: '' }, scimType: 'invalidValue', says: /^count must be an integer\.$/ },
  { query: { count: ['1', '2'] }, scimType: 'invalidValue', says: /^count must be an integer\.$/ },
  { query: { sortBy: ['a', 'b'] }, scimType: 'invalidValue', says: /^sortBy must be a single string\.$/ },
  { query: { sortOrder: 'sideways' }, scimType: 'invalidValue', says: /^sortOrder must be ascending or descending\.$/ },
  { query: { cursor: ['a', 'b'] }, scimType: 'invalidCursor', says: /^The cursor does not belong to this query/ },
  { query: { cursor: '', startIndex: '1' }, scimType: 'invalidValue', says: /^Use either startIndex or cursor/ },
  {
    query: { cursor: '', count: '1001' },
    scimType: 'invalidCount',
    says: /^count must be an integer from 0 to 1000/,
  },
  {
    query: { cursor: '', count: 'ten' },
    scimType: 'invalidCount',
    says: /^count must be an integer from 0 to 1000/,
  },
  { query: { attributes: 7 }, scimType: 'invalidValue', says: /^attributes must be a list of attribute names\.$/ },
]

for (const { query, scimType, says } of refused) {
  test(`rejects the query ${JSON.stringify(query)}`, () => {
    assert.throws(() => parseListQuery(query), { status: 400, scimType, message: says })
  })
}

test('a search request has the same parameters', () => {
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    Filter: 'userName pr',
    startIndex: 11,
    count: 10,
    attributes: ['userName'],
    excludedAttributes: null,
  }
  const gives = { filter: 'userName pr', page: indexPage(11, 10), attributes: ['userName'] }
  assert.deepEqual(parseSearchRequest(body), { ...defaults, ...gives })
  assert.throws(() => parseSearchRequest({ count: 1.5 }), { scimType: 'invalidValue' })
  assert.throws(() => parseSearchRequest({ filter: true }), { scimType: 'invalidFilter' })
})

for (const body of [undefined, null, 'x', []]) {
  test(`rejects ${JSON.stringify(body)} as a search request`, () => {
    assert.throws(() => parseSearchRequest(body), { status: 400, scimType: 'invalidSyntax' })
  })
}

test('any query gives a page within the limits or a 400', () => {
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double(), fc.jsonValue({ maxDepth: 2 }))
  const name = fc.constantFrom('filter', 'startIndex', 'count', 'COUNT', 'cursor', 'sortBy', 'sortOrder', 'attributes')
  fc.assert(
    fc.property(fc.dictionary(name, value), (query) => {
      const page = attempt(() => parseListQuery(query))?.page
      assert.ok(page === undefined || (page.count >= 0 && page.count <= maxCount))
      assert.ok(page?.kind !== 'index' || page.startIndex >= 1)
    }),
  )
})

function attempt(parse: () => ListQuery): ListQuery | undefined {
  try {
    return parse()
  } catch (error) {
    assert.ok(error instanceof ScimError && error.status === 400)
    return undefined
  }
}

for (const ids of [[], ['u1'], ['u1', 'u2', 'u3']]) {
  test(`a page of ${ids.length} is the same as an object and as text`, () => {
    const resources = ids.map((id) => ({ id }))
    const response = listResponse(resources)
    assert.deepEqual(response, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: ids.length,
      startIndex: 1,
      itemsPerPage: ids.length,
      Resources: resources,
    })
    const numbers = { totalResults: ids.length, itemsPerPage: ids.length, position: { startIndex: 1 } }
    const { before, after } = listResponseEnvelope(numbers)
    const texts = resources.map((resource) => JSON.stringify(resource))
    assert.equal(`${before}${texts.join(',')}${after}`, JSON.stringify(response))
  })
}

test('a cursor page has no startIndex, and a nextCursor unless it is the last', () => {
  const read = (nextCursor: string | undefined) => {
    const { before, after } = listResponseEnvelope({ totalResults: 9, itemsPerPage: 0, position: { nextCursor } })
    return JSON.parse(before + after)
  }
  const last = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults: 9, itemsPerPage: 0 }
  assert.deepEqual(read(undefined), { ...last, Resources: [] })
  assert.deepEqual(read('abc-_'), { ...last, nextCursor: 'abc-_', Resources: [] })
})
