import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { StoredEvent } from '../../../src/directory/event.ts'
import { ScimError } from '../../../src/scim/errors.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import { executeBulk } from '../../../src/service-provider/bulk/execute.ts'
import type { ScimRequest, ScimResponse } from '../../../src/service-provider/request.ts'
import { cases } from '../../support/extent.ts'

const scimUrl = 'https://sync.example/api/scim/v2.0/d'
const requestId = 'r-1'

/** A request as `method type/id body`. */
function textOf({ method, endpoint, resourceId, body }: ScimRequest): string {
  const path = endpoint
    .slice(1)
    .toLowerCase()
    .replace(':id', () => resourceId)
  return body === undefined ? `${method} ${path}` : `${method} ${path} ${JSON.stringify(body)}`
}

/** The body of a response must not be read: it could be a group of thousands. */
const unread: AsyncIterable<string> = {
  [Symbol.asyncIterator]: () => assert.fail('the body was read'),
}

function eventOf(call: string, sequence: number): StoredEvent {
  const data = toJsonText<JsonObject>({ call })
  return { id: `e${sequence}`, sequence, eventType: 'user.updated', createdAt: 0, requestId, data }
}

/**
 * A directory that answers everything; ids are 1, 2, 3 …, and versions count the requests. A request throws the error
 * that is set for a prefix of its text.
 */
function fakeDirectory(failures: Readonly<Record<string, unknown>> = {}) {
  const requests: ScimRequest[] = []
  let ids = 0
  const perform = async (request: ScimRequest): Promise<ScimResponse> => {
    requests.push(request)
    const text = textOf(request)
    const failing = Object.keys(failures).find((start) => text.startsWith(start))
    if (failing !== undefined) throw failures[failing]
    const events = [eventOf(text, requests.length)]
    const etag = `W/"${requests.length}"`
    const { method, endpoint } = request
    if (method === 'DELETE') return { status: 204, headers: {}, body: undefined, events }
    if (method !== 'POST') return { status: 200, headers: { etag }, body: unread, events }
    ids += 1
    const location = `${scimUrl}${endpoint}/${ids}`
    return { status: 201, headers: { etag, location }, body: unread, events, skippedMembers: 1 }
  }
  return { perform, calls: () => requests.map(textOf), requests }
}

interface Result {
  readonly method?: string
  readonly bulkId?: string
  readonly location?: string
  readonly version?: string
  readonly status: string
  readonly response?: { readonly status: string; readonly detail: string; readonly scimType?: string }
}

interface Surroundings {
  readonly clock: () => number
  readonly nextSlice: () => Promise<void>
  readonly isAbandoned: () => boolean
}

/** Executes a bulk request on a directory. */
async function execute(
  directory: ReturnType<typeof fakeDirectory>,
  operations: unknown[],
  failOnErrors?: number,
  { clock = () => 0, nextSlice = async () => {}, isAbandoned = () => false }: Partial<Surroundings> = {},
) {
  const errors: unknown[] = []
  const parts = {
    ...{ perform: directory.perform, clock, nextSlice },
    onError: (error: unknown, id: string) => errors.push([error, id]),
  }
  const body = { failOnErrors, Operations: operations }
  const answer = await executeBulk(parts, { body, requestId, isAbandoned }, scimUrl)
  const { schemas, Operations } = JSON.parse(String(answer.body)) as { schemas: string[]; Operations: Result[] }
  assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'])
  return { answer, errors, results: Operations, statuses: Operations.map(({ status }) => status) }
}

const user = (bulkId: string, more: JsonObject = {}) => {
  return { method: 'POST', path: '/Users', bulkId, data: { userName: bulkId, ...more } }
}
const group = (bulkId: string, ...members: string[]) => {
  return { method: 'POST', path: '/Groups', bulkId, data: { displayName: bulkId, members } }
}
const deletion = (path: string) => ({ method: 'DELETE', path })
const rejection = new ScimError(400, 'invalidValue', 'That does not fit.')
const conflict = new ScimError(409, 'uniqueness', 'That is taken.')

describe('a bulk request', () => {
  test('returns one result per operation, in order', async () => {
    const { answer, results } = await execute(fakeDirectory(), [
      user('a'),
      { method: 'put', path: '/Users/7', data: { userName: 'x' }, bulkId: 'p' },
      { method: 'Patch', path: 'groups/a%2Fb/', data: { Operations: [] } },
      deletion('/Users/9'),
    ])
    assert.equal(answer.status, 200)
    assert.deepEqual(results, [
      { location: `${scimUrl}/Users/1`, method: 'POST', bulkId: 'a', version: 'W/"1"', status: '201' },
      { location: `${scimUrl}/Users/7`, method: 'PUT', bulkId: 'p', version: 'W/"2"', status: '200' },
      { location: `${scimUrl}/Groups/a%2Fb`, method: 'PATCH', version: 'W/"3"', status: '200' },
      { location: `${scimUrl}/Users/9`, method: 'DELETE', status: '204' },
    ])
  })

  test('without operations returns no results', async () => {
    assert.deepEqual((await execute(fakeDirectory(), [])).results, [])
  })

  test('passes the id, the version as If-Match, and the request id to each operation', async () => {
    const directory = fakeDirectory()
    await execute(directory, [{ method: 'DELETE', path: '/Groups/g', version: 'W/"4"' }])
    assert.deepEqual(directory.requests, [
      {
        ...{ method: 'DELETE', endpoint: '/Groups/:id', resourceId: 'g', body: undefined, query: {} },
        ...{ ifMatch: 'W/"4"', ifNoneMatch: undefined, requestId, receivedAt: undefined },
      },
    ])
  })

  test('continues after an operation that fails', async () => {
    const directory = fakeDirectory({ 'PUT users/7': rejection, 'POST users {"userName":"b"': conflict })
    const { results } = await execute(directory, [
      { method: 'PUT', path: '/Users/7', data: {} },
      user('b'),
      { method: 'GET', path: '/Users/7' },
      { path: '/Users/7' },
      deletion('/Devices/1'),
      user('c'),
    ])
    assert.deepEqual(
      results.map(({ method, status, location, response }) => [method, status, location, response?.scimType]),
      [
        ['PUT', '400', `${scimUrl}/Users/7`, 'invalidValue'],
        ['POST', '409', undefined, 'uniqueness'],
        ['GET', '400', `${scimUrl}/Users/7`, 'invalidSyntax'],
        [undefined, '400', `${scimUrl}/Users/7`, 'invalidSyntax'],
        ['DELETE', '404', undefined, undefined],
        ['POST', '201', `${scimUrl}/Users/1`, undefined],
      ],
    )
    assert.deepEqual(results[0]?.response, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      scimType: 'invalidValue',
      detail: 'That does not fit.',
    })
  })

  test('continues after an internal error, which is reported without details', async () => {
    const fault = new Error('secret detail of the inside')
    const { errors, results, answer } = await execute(fakeDirectory({ 'DELETE users/1': fault }), [
      deletion('/Users/1'),
      deletion('/Users/2'),
    ])
    assert.deepEqual(errors, [[fault, requestId]])
    assert.deepEqual([results[0]?.status, results[1]?.status], ['500', '204'])
    assert.match(String(results[0]?.response?.detail), /request id r-1/)
    assert.doesNotMatch(String(answer.body), /inside/)
  })

  test('is rejected as a whole before anything is executed', async () => {
    const directory = fakeDirectory()
    await assert.rejects(execute(directory, [user('a'), null]), { status: 400, scimType: 'invalidSyntax' })
    assert.deepEqual(directory.calls(), [])
  })
})

describe('failOnErrors', () => {
  test('stops a request after that many errors', async () => {
    const directory = fakeDirectory({ 'DELETE users/bad': rejection })
    const operations = ['1', 'bad', '2', 'bad', '3'].map((id) => deletion(`/Users/${id}`))
    assert.deepEqual((await execute(directory, operations, 2)).statuses, ['204', '400', '204', '400'])
    assert.equal(directory.calls().length, 4)
  })

  test('omits operations that were not executed, wherever they are', async () => {
    const directory = fakeDirectory({ 'POST users': rejection })
    const operations = [deletion('/Users/1'), group('g', 'bulkId:u'), user('v'), user('u')]
    const { results } = await execute(directory, operations, 1)
    assert.deepEqual(
      results.map(({ bulkId, status }) => [bulkId, status]),
      [
        [undefined, '204'],
        ['u', '400'],
      ],
    )
  })

  test('counts operations that depend on a failed one', async () => {
    const operations = [{ ...user('a'), data: null }, group('g', 'bulkId:a'), user('b')]
    assert.deepEqual((await execute(fakeDirectory(), operations, 2)).statuses, ['400', '409'])
  })
})

describe('a reference', () => {
  test('is replaced by the id in paths, data and filters', async () => {
    const directory = fakeDirectory()
    const filter = 'members[value eq "bulkId:u"]'
    const { results } = await execute(directory, [
      group('g', 'bulkId:u', 'x'),
      user('u'),
      { method: 'PATCH', path: '/Groups/bulkId:g', data: { Operations: [{ op: 'remove', path: filter }] } },
      { method: 'DELETE', path: '/Users/bulkId%3Au' },
    ])
    assert.deepEqual(directory.calls(), [
      'POST users {"userName":"u"}',
      'POST groups {"displayName":"g","members":["1","x"]}',
      'PATCH groups/2 {"Operations":[{"op":"remove","path":"members[value eq \\"1\\"]"}]}',
      'DELETE users/1',
    ])
    assert.deepEqual(
      results.map(({ location }) => location),
      ['Groups/2', 'Users/1', 'Groups/2', 'Users/1'].map((path) => `${scimUrl}/${path}`),
    )
  })

  test('to an unknown bulkId fails the operation and those that depend on it', async () => {
    const directory = fakeDirectory()
    const { results } = await execute(directory, [group('g', 'bulkId:h'), group('h', 'bulkId:x'), user('u')])
    assert.deepEqual(
      results.map(({ status, response }) => [status, response?.detail]),
      [
        ['409', 'The operation depends on the one with the bulkId "h", which failed.'],
        ['409', 'No POST in this request has the bulkId "x".'],
        ['201', undefined],
      ],
    )
    assert.equal(directory.calls().length, 1)
  })

  test('to an operation that failed fails the operation', async () => {
    const directory = fakeDirectory({ 'POST users': rejection })
    const operations = [user('u'), deletion('/Users/bulkId:u'), group('g', 'bulkId:u'), group('h', 'bulkId:g')]
    const { results, statuses } = await execute(directory, operations)
    assert.deepEqual(statuses, ['400', '409', '409', '409'])
    assert.match(String(results[3]?.response?.detail), /"g"/)
    assert.equal(results[1]?.location, undefined)
  })

  test('means the first of two POSTs with the same bulkId', async () => {
    const directory = fakeDirectory()
    const { statuses } = await execute(directory, [user('u'), { ...user('u'), data: {} }, group('g', 'bulkId:u')])
    assert.deepEqual(statuses, ['201', '400', '201'])
    assert.equal(directory.calls().at(-1), 'POST groups {"displayName":"g","members":["1"]}')
  })

  test('can be part of a chain of a thousand', async () => {
    const chain = Array.from({ length: 1000 }, (_, n) => group(`g${n}`, ...(n < 999 ? [`bulkId:g${n + 1}`] : [])))
    const { statuses } = await execute(fakeDirectory(), chain)
    assert.deepEqual(new Set(statuses), new Set(['201']))
  })
})

describe('operations that refer to each other', () => {
  test('are created, and those created too early are completed', async () => {
    const directory = fakeDirectory()
    const { results } = await execute(directory, [group('a', 'bulkId:b', 'x'), group('b', 'bulkId:a', 'y')])
    assert.deepEqual(directory.calls(), [
      'POST groups {"displayName":"b","members":["y"]}',
      'POST groups {"displayName":"a","members":["1","x"]}',
      'PUT groups/1 {"displayName":"b","members":["2","y"]}',
    ])
    assert.deepEqual(results, [
      { location: `${scimUrl}/Groups/2`, method: 'POST', bulkId: 'a', version: 'W/"2"', status: '201' },
      { location: `${scimUrl}/Groups/1`, method: 'POST', bulkId: 'b', version: 'W/"3"', status: '201' },
    ])
  })

  test('can be a user who is their own manager', async () => {
    const directory = fakeDirectory()
    const { statuses } = await execute(directory, [user('a', { manager: { value: 'bulkId:a' } })])
    assert.deepEqual(statuses, ['201'])
    assert.deepEqual(directory.calls(), [
      'POST users {"userName":"a"}',
      'PUT users/1 {"userName":"a","manager":{"value":"1"}}',
    ])
  })

  test('are completed before others refer to them', async () => {
    const directory = fakeDirectory()
    const change = { method: 'PATCH', path: '/Groups/bulkId:a', data: {} }
    await execute(directory, [change, group('c', 'bulkId:b'), group('a', 'bulkId:b'), group('b', 'bulkId:a')])
    assert.deepEqual(
      directory.calls().map((call) => call.split(' ').slice(0, 2).join(' ')),
      ['POST groups', 'POST groups', 'PUT groups/1', 'PATCH groups/2', 'POST groups'],
    )
  })

  const three = [group('a', 'bulkId:b'), group('b', 'bulkId:c'), group('c', 'bulkId:a')]

  test('are undone when one of them fails', async () => {
    const directory = fakeDirectory({ 'POST groups {"displayName":"b"': rejection })
    const { results } = await execute(directory, [...three, group('d', 'bulkId:c'), group('e')])
    assert.deepEqual(
      results.map(({ status, location, response }) => [status, location, response?.detail]),
      [
        ['409', undefined, 'The operation depends on the one with the bulkId "b", which failed.'],
        ['400', undefined, 'That does not fit.'],
        [
          ...['409', undefined],
          'The operation depends on the one with the bulkId "b", which failed: the resource was created and deleted again.',
        ],
        ['409', undefined, 'The operation depends on the one with the bulkId "c", which failed.'],
        ['201', `${scimUrl}/Groups/2`, undefined],
      ],
    )
    assert.equal(directory.calls().filter((call) => call === 'DELETE groups/1').length, 1)
  })

  test('are undone when one of them cannot be completed, with the reason', async () => {
    const directory = fakeDirectory({ 'PUT groups/1': rejection })
    const { results } = await execute(directory, three)
    assert.deepEqual(
      results.map(({ bulkId, status }) => [bulkId, status]),
      [
        ['a', '409'],
        ['b', '409'],
        ['c', '400'],
      ],
    )
    assert.deepEqual(directory.calls().slice(4), ['DELETE groups/1', 'DELETE groups/2', 'DELETE groups/3'])
  })

  test('are undone when failOnErrors stops the request in between', async () => {
    const directory = fakeDirectory({ 'POST groups {"displayName":"b"': rejection })
    const { results } = await execute(directory, [...three, user('u')], 1)
    assert.deepEqual(
      results.map(({ bulkId, status }) => [bulkId, status]),
      [
        ['b', '400'],
        ['c', '409'],
      ],
    )
    assert.equal(directory.calls().at(-1), 'DELETE groups/1')
  })

  test('count as undone when they no longer exist', async () => {
    const gone = new ScimError(404, undefined, 'There is no group with this id.')
    const directory = fakeDirectory({ 'PUT groups/1': gone, 'DELETE groups/1': gone })
    assert.deepEqual((await execute(directory, three)).statuses, ['409', '409', '404'])
  })

  test('report when they cannot be undone', async () => {
    const busy = new ScimError(503, undefined, 'Send the request again.')
    const directory = fakeDirectory({ 'POST groups {"displayName":"b"': rejection, 'DELETE groups/1': busy })
    const { results } = await execute(directory, three)
    assert.equal(results[2]?.status, '503')
    assert.match(String(results[2]?.response?.detail), /still exists with the id 1/)
  })

  test('fail without being run when they depend on another operation that failed', async () => {
    const directory = fakeDirectory({ 'POST users': rejection })
    const operations = [user('u'), group('a', 'bulkId:b', 'bulkId:u'), group('b', 'bulkId:a')]
    const { statuses } = await execute(directory, operations)
    assert.deepEqual(statuses, ['400', '409', '409'])
    assert.deepEqual(directory.calls(), ['POST users {"userName":"u"}'])
  })
})

test('with random references and failures, each group exists with all its members or not at all', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const member = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constant('x') },
  )
  const members = fc.array(fc.uniqueArray(member, { maxLength: 2 }), { minLength: 6, maxLength: 6 })
  const failing = fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 2 })
  const failOnErrors = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(members, failing, failOnErrors, async (each, numbers, limit) => {
      const operations = names.map((name, n) => group(name, ...(each[n] ?? []).map((one) => `bulkId:${one}`)))
      const directory = groupsThatFail(numbers)
      const { results } = await execute(directory, operations, limit)
      const ids = new Map(results.map(({ bulkId, location }) => [bulkId, location?.split('/').at(-1)]))
      const made = results.filter(({ status }) => status === '201')
      const expected = made.map(({ bulkId = '' }) => [
        ids.get(bulkId),
        (each[names.indexOf(bulkId)] ?? []).map((one) => ids.get(one)),
      ])
      assert.deepEqual([...directory.groups].sort(), expected.sort())
      assert.ok(directory.calls().every((call) => !call.includes('bulkId:')))
      if (limit === undefined) assert.equal(results.length, names.length)
    }),
    { numRuns: cases(1000) },
  )
})

/** A directory that keeps the members of its groups; the requests of these numbers fail, unless they delete. */
function groupsThatFail(numbers: readonly number[]) {
  const directory = fakeDirectory()
  const groups = new Map<string, unknown>()
  const perform = async (request: ScimRequest): Promise<ScimResponse> => {
    const { method, resourceId, body } = request
    if (method !== 'DELETE' && numbers.includes(directory.requests.length)) {
      directory.requests.push(request)
      throw rejection
    }
    const answer = await directory.perform(request)
    const id = resourceId || String(answer.headers['location']?.split('/').at(-1))
    if (method === 'DELETE') groups.delete(id)
    else groups.set(id, (body as { members: unknown }).members)
    return answer
  }
  return { ...directory, perform, groups }
}

describe('the budget of a bulk request', () => {
  const deletions = ['1', '2', '3'].map((id) => deletion(`/Users/${id}`))

  test('is time: operations that have not begun after 20 seconds are not executed, each with the reason', async () => {
    const directory = fakeDirectory()
    const clock = () => directory.requests.length * 10_000
    const { results, statuses } = await execute(directory, [...deletions, { path: '/Users/4' }], 1, { clock })
    assert.deepEqual(statuses, ['204', '204', '503', '503'])
    const detail = 'Not executed because a bulk request may take 20 seconds: send this operation in another request.'
    assert.deepEqual([results[2]?.response?.detail, results[3]?.response?.detail], [detail, detail])
    assert.equal(directory.requests.length, 2)
  })

  test('is output: no operation begins after the events have 16,777,216 characters', async () => {
    const directory = fakeDirectory()
    const { perform } = directory
    const data = toJsonText<JsonObject>({ text: 'x'.repeat(9_000_000) })
    const writing = { ...directory, perform: withEvents(perform, data) }
    const { results, statuses } = await execute(writing, deletions)
    assert.deepEqual(statuses, ['204', '204', '413'])
    assert.match(String(results[2]?.response?.detail), /events of a bulk request may have 16777216 characters/)
  })

  test('is output: events that an operation leaves in the store count as well', async () => {
    const directory = fakeDirectory()
    const perform = async (request: ScimRequest): Promise<ScimResponse> => {
      const furtherEvents = {
        lastSequence: 0,
        characters: 9_000_000,
        [Symbol.asyncIterator]: () => assert.fail('the events were read'),
      }
      return { ...(await directory.perform(request)), furtherEvents }
    }
    const { statuses } = await execute({ ...directory, perform }, deletions)
    assert.deepEqual(statuses, ['204', '204', '413'])
  })

  test('ends when the client closes the connection', async () => {
    const directory = fakeDirectory()
    const isAbandoned = () => directory.requests.length > 0
    const { statuses } = await execute(directory, deletions, undefined, { isAbandoned })
    assert.deepEqual(statuses, ['204', '503', '503'])
    assert.deepEqual(directory.calls(), ['DELETE users/1'])
  })

  test('is checked within operations that refer to each other: those already executed are undone', async () => {
    for (const last of [2, 3]) {
      const directory = fakeDirectory()
      const isAbandoned = () => directory.requests.length >= last
      const operations = [group('a', 'bulkId:b'), group('b', 'bulkId:c'), group('c', 'bulkId:a')]
      const { statuses } = await execute(directory, operations, undefined, { isAbandoned })
      assert.deepEqual(new Set(statuses), new Set(['409', '503']))
      const deleted = directory.calls().filter((call) => call.startsWith('DELETE'))
      assert.equal(deleted.length, last)
    }
  })

  test('lets other requests be served before each operation', async () => {
    const directory = fakeDirectory()
    const before: number[] = []
    const nextSlice = async () => {
      before.push(directory.requests.length)
    }
    await execute(directory, deletions, undefined, { nextSlice })
    assert.deepEqual(before, [0, 1, 2])
  })
})

function withEvents(perform: (request: ScimRequest) => Promise<ScimResponse>, data: StoredEvent['data']) {
  return async (request: ScimRequest): Promise<ScimResponse> => {
    const response = await perform(request)
    return { ...response, events: response.events.map((event) => ({ ...event, data })) }
  }
}

test('the response repeats neither a long bulkId, nor a long method, nor a long id', async () => {
  const long = 'x'.repeat(100_000)
  const operations = [
    user(long),
    deletion(`/Users/${long}`),
    { method: long, path: '/Users/1' },
    { ...deletion('/Users/1'), bulkId: long },
  ]
  const { answer, statuses } = await execute(fakeDirectory(), operations)
  assert.deepEqual(statuses, ['400', '400', '400', '400'])
  assert.ok(String(answer.body).length < 3_000)
})
