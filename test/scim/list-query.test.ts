import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../src/scim/errors.ts'
import type { ListQuery } from '../../src/scim/list-query.ts'
import { defaultCount, maxCount, parseListQuery, parseSearchRequest } from '../../src/scim/list-query.ts'
import { listResponse, listResponseAround, listResponseText } from '../../src/scim/messages.ts'

const defaults: ListQuery = {
  filter: undefined,
  sortBy: undefined,
  sortOrder: 'ascending',
  startIndex: 1,
  count: defaultCount,
  attributes: [],
  excludedAttributes: [],
}

const queries: { query: Record<string, unknown>; gives: Partial<ListQuery> }[] = [
  { query: {}, gives: {} },
  { query: { unknown: 'x', cursor: '' }, gives: {} },
  { query: { filter: 'userName eq "ann"' }, gives: { filter: 'userName eq "ann"' } },
  {
    query: { FILTER: 'active eq true', startindex: '2', Count: '5' },
    gives: { filter: 'active eq true', startIndex: 2, count: 5 },
  },
  { query: { startIndex: '0' }, gives: { startIndex: 1 } },
  { query: { startIndex: '-3' }, gives: { startIndex: 1 } },
  { query: { startIndex: '9'.repeat(400) }, gives: { startIndex: Number.MAX_SAFE_INTEGER } },
  { query: { count: '0' }, gives: { count: 0 } },
  { query: { count: '-1' }, gives: { count: 0 } },
  { query: { count: '1001' }, gives: { count: maxCount } },
  { query: { count: ' 7' }, gives: { count: 7 } },
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
  { query: { filter: '' }, scimType: 'invalidFilter', says: /^filter must hold one filter/ },
  { query: { filter: '  ' }, scimType: 'invalidFilter', says: /^filter must hold one filter/ },
  { query: { filter: ['a pr', 'b pr'] }, scimType: 'invalidFilter', says: /^filter must hold one filter/ },
  { query: { startIndex: 'one' }, scimType: 'invalidValue', says: /^startIndex must be a whole number\.$/ },
  { query: { startIndex: '1.5' }, scimType: 'invalidValue', says: /^startIndex must be a whole number\.$/ },
  { query: { count: '' }, scimType: 'invalidValue', says: /^count must be a whole number\.$/ },
  { query: { count: ['1', '2'] }, scimType: 'invalidValue', says: /^count must be a whole number\.$/ },
  { query: { sortBy: ['a', 'b'] }, scimType: 'invalidValue', says: /^sortBy must be a single text\.$/ },
  { query: { sortOrder: 'sideways' }, scimType: 'invalidValue', says: /^sortOrder must be ascending or descending\.$/ },
  { query: { attributes: 7 }, scimType: 'invalidValue', says: /^attributes must be a list of attribute names\.$/ },
]

for (const { query, scimType, says } of refused) {
  test(`refuses the query ${JSON.stringify(query)}`, () => {
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
  const gives = { filter: 'userName pr', startIndex: 11, count: 10, attributes: ['userName'] }
  assert.deepEqual(parseSearchRequest(body), { ...defaults, ...gives })
  assert.throws(() => parseSearchRequest({ count: 1.5 }), { scimType: 'invalidValue' })
  assert.throws(() => parseSearchRequest({ filter: true }), { scimType: 'invalidFilter' })
})

for (const body of [undefined, null, 'x', []]) {
  test(`refuses ${JSON.stringify(body)} as a search request`, () => {
    assert.throws(() => parseSearchRequest(body), { status: 400, scimType: 'invalidSyntax' })
  })
}

test('whatever is asked, the page is within bounds or the query is refused with 400', () => {
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double(), fc.jsonValue({ maxDepth: 2 }))
  const name = fc.constantFrom('filter', 'startIndex', 'count', 'COUNT', 'sortBy', 'sortOrder', 'attributes')
  fc.assert(
    fc.property(fc.dictionary(name, value), (query) => {
      const page = attempt(() => parseListQuery(query))
      assert.ok(page === undefined || (page.startIndex >= 1 && page.count >= 0 && page.count <= maxCount))
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
  test(`a page of ${ids.length} says so, as an object and as text`, () => {
    const resources = ids.map((id) => ({ id }))
    const page = { totalResults: 9, startIndex: 4 }
    const answer = listResponse({ ...page, resources })
    assert.deepEqual(answer, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...page,
      itemsPerPage: ids.length,
      Resources: resources,
    })
    const texts = resources.map((resource) => JSON.stringify(resource))
    assert.equal(listResponseText({ ...page, resources: texts }), JSON.stringify(answer))
    const { before, after } = listResponseAround({ ...page, itemsPerPage: ids.length })
    assert.equal(`${before}${texts.join(',')}${after}`, JSON.stringify(answer))
  })
}
