import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseBulkRequest } from '../../../src/scim/bulk/messages.ts'
import { orderSteps } from '../../../src/scim/bulk/order.ts'
import { planBulk } from '../../../src/scim/bulk/plan.ts'
import { ScimError } from '../../../src/scim/errors.ts'
import { maxBulkOperations } from '../../../src/scim/limits.ts'
import { cases } from '../../support/extent.ts'

const deletion = { method: 'DELETE', path: '/Users/u' }

describe('the body of a bulk request', () => {
  for (const { body, because } of [
    { body: { Operations: [deletion] }, because: 'without schemas' },
    { body: { OPERATIONS: [deletion], schemas: 'x' }, because: 'with upper-case operations' },
    { body: { operations: [{ METHOD: 'delete', Path: 'users/u' }] }, because: 'with names in another letter case' },
    { body: { Operations: [deletion], failOnErrors: null }, because: 'with null for failOnErrors' },
  ]) {
    test(`is accepted ${because}`, () => {
      const { failOnErrors, operations } = parseBulkRequest(body)
      assert.equal(failOnErrors, Number.POSITIVE_INFINITY)
      assert.deepEqual(
        operations.map(({ kind, method, target }) => [kind, method, target?.resourceType.name, target?.id]),
        [['change', 'DELETE', 'User', 'u']],
      )
    })
  }

  for (const { body, because } of [
    { body: null, because: 'it is null' },
    { body: undefined, because: 'there is none' },
    { body: [deletion], because: 'it is a list' },
    { body: {}, because: 'Operations is missing' },
    { body: { Operations: null }, because: 'Operations is null' },
    { body: { Operations: deletion }, because: 'Operations is an object' },
    { body: { Operations: [deletion, null] }, because: 'an operation is null' },
    { body: { Operations: [deletion, 'DELETE'] }, because: 'an operation is text' },
    { body: { Operations: [deletion, [deletion]] }, because: 'an operation is a list' },
  ]) {
    test(`is rejected when ${because}`, () => {
      assert.throws(() => parseBulkRequest(body), { status: 400, scimType: 'invalidSyntax' })
    })
  }

  test('can have no operations', () => {
    assert.deepEqual(parseBulkRequest({ Operations: [] }).operations, [])
  })

  for (const failOnErrors of [1, 3, '3', ' 2 ']) {
    test(`accepts ${JSON.stringify(failOnErrors)} for failOnErrors`, () => {
      assert.equal(parseBulkRequest({ failOnErrors, Operations: [] }).failOnErrors, Number(failOnErrors))
    })
  }

  for (const failOnErrors of [0, -1, 1.5, '0', '-1', '1.5', '', 'many', true, [1], {}]) {
    test(`is rejected with ${JSON.stringify(failOnErrors)} for failOnErrors`, () => {
      const body = { failOnErrors, Operations: [] }
      assert.throws(() => parseBulkRequest(body), { status: 400, scimType: 'invalidValue', message: /^failOnErrors/ })
    })
  }

  test('has a limited number of operations', () => {
    const many = (length: number) => ({ Operations: Array.from({ length }, () => deletion) })
    assert.equal(parseBulkRequest(many(maxBulkOperations)).operations.length, 1000)
    assert.throws(() => parseBulkRequest(many(maxBulkOperations + 1)), {
      status: 413,
      message: 'A bulk request may have at most 1000 operations; this one has 1001.',
    })
  })

  test('of any JSON is planned or rejected', () => {
    const name = fc.constantFrom(
      'method',
      'Path',
      'bulkId',
      'data',
      'version',
      'Operations',
      '__proto__',
      'constructor',
    )
    const leaf = fc.oneof(
      fc.constantFrom('POST', 'put', '/Users', '/Groups/x', 'bulkId:a', 'a'),
      fc.jsonValue({ maxDepth: 1 }),
    )
    const tree = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(name, tie('any'))),
    })).any
    const operations = fc.array(fc.dictionary(name, tree), { maxLength: 5 })
    fc.assert(
      fc.property(fc.oneof(tree, fc.record({ Operations: operations })), (body) => {
        try {
          planBulk(parseBulkRequest(JSON.parse(JSON.stringify(body))).operations)
        } catch (error) {
          assert.ok(error instanceof ScimError, String(error))
        }
      }),
      { numRuns: cases(500) },
    )
  })
})

describe('the path of an operation', () => {
  for (const { path, leads } of [
    { path: '/Users/u', leads: ['User', 'u'] },
    { path: 'Users/u', leads: ['User', 'u'] },
    { path: '/users/u/', leads: ['User', 'u'] },
    { path: ' //GROUPS/g// ', leads: ['Group', 'g'] },
    { path: '/Groups/a%20b%2Fc', leads: ['Group', 'a b/c'] },
    { path: '/Users/bulkId:a', leads: ['User', 'bulkId:a'] },
    { path: '/Users/bulkId%3Aa', leads: ['User', 'bulkId:a'] },
    { path: '/Users/__proto__', leads: ['User', '__proto__'] },
  ]) {
    test(`${path} means ${leads.join(' ')}`, () => {
      const [operation] = parseBulkRequest({ Operations: [{ method: 'DELETE', path }] }).operations
      assert.deepEqual([operation?.target?.resourceType.name, operation?.target?.id], leads)
    })
  }
})

describe('an operation', () => {
  const post = { method: 'POST', path: '/Users', bulkId: 'a', data: {} }
  for (const { operation, status, scimType } of [
    { operation: {}, status: 400, scimType: 'invalidSyntax' },
    { operation: { ...post, method: 'GET' }, status: 400, scimType: 'invalidSyntax' },
    { operation: { ...post, method: 'MOVE' }, status: 400, scimType: 'invalidSyntax' },
    { operation: { ...post, method: 5 }, status: 400, scimType: 'invalidSyntax' },
    { operation: { ...post, bulkId: undefined }, status: 400, scimType: 'invalidValue' },
    { operation: { ...post, bulkId: '' }, status: 400, scimType: 'invalidValue' },
    { operation: { ...post, bulkId: 1 }, status: 400, scimType: 'invalidValue' },
    { operation: { ...post, data: undefined }, status: 400, scimType: 'invalidSyntax' },
    { operation: { ...post, data: [] }, status: 400, scimType: 'invalidSyntax' },
    { operation: { ...post, path: '/Users/u' }, status: 405, scimType: undefined },
    { operation: { ...post, path: '/Users/.search' }, status: 405, scimType: undefined },
    { operation: { method: 'PUT', path: '/Users/u' }, status: 400, scimType: 'invalidSyntax' },
    { operation: { method: 'PATCH', path: '/Users/u', data: 'x' }, status: 400, scimType: 'invalidSyntax' },
    { operation: { method: 'PUT', path: '/Users', data: {} }, status: 405, scimType: undefined },
    { operation: { method: 'PATCH', path: '/Groups', data: {} }, status: 405, scimType: undefined },
    { operation: { method: 'DELETE', path: '/Users/' }, status: 405, scimType: undefined },
    { operation: { method: 'DELETE' }, status: 400, scimType: 'invalidValue' },
    { operation: { method: 'DELETE', path: 5 }, status: 400, scimType: 'invalidValue' },
    { operation: { method: 'DELETE', path: '/Users/a/b' }, status: 400, scimType: 'invalidValue' },
    { operation: { method: 'DELETE', path: '/Users/%zz' }, status: 400, scimType: 'invalidValue' },
    { operation: { method: 'DELETE', path: '' }, status: 404, scimType: undefined },
    { operation: { method: 'DELETE', path: '/Devices/d' }, status: 404, scimType: undefined },
    { operation: { ...post, path: '/Me' }, status: 404, scimType: undefined },
    { operation: { ...post, path: '/constructor' }, status: 404, scimType: undefined },
    { operation: { method: 'DELETE', path: '/Users/u', version: 1 }, status: 400, scimType: 'invalidValue' },
  ]) {
    test(`${JSON.stringify(operation)} fails alone with ${status}`, () => {
      const [bad, good] = parseBulkRequest({ Operations: [operation, post] }).operations
      assert.equal(good?.kind, 'create')
      assert.ok(bad?.kind === 'rejected')
      assert.deepEqual([bad.error.status, bad.error.scimType], [status, scimType])
      assert.match(bad.error.message, /^[A-Za-z].{10,}\.$/)
    })
  }

  test('can be a DELETE with data, which is ignored', () => {
    const [operation] = parseBulkRequest({ Operations: [{ ...deletion, data: { a: 'bulkId:x' } }] }).operations
    assert.ok(operation?.kind === 'change')
    assert.deepEqual([operation.data, operation.references.size], [undefined, 0])
  })
})

describe('the plan of a bulk request', () => {
  const post = (bulkId: string, ...members: string[]) => {
    return { method: 'POST', path: '/Groups', bulkId, data: { members: members.map((value) => `bulkId:${value}`) } }
  }
  const planOf = (...operations: unknown[]) => planBulk(parseBulkRequest({ Operations: operations }).operations)

  test('lists the operations of a cycle that must be completed', () => {
    const [step, ...others] = planOf(post('a', 'b'), post('b', 'c', 'b'), post('c', 'a')).steps
    assert.deepEqual(others, [])
    assert.ok(step?.kind === 'cycle')
    assert.deepEqual(step.creations.map(({ bulkId }) => bulkId).join(), 'c,b,a')
    assert.deepEqual(step.incomplete.map(({ bulkId }) => bulkId).join(), 'c,b')
  })

  test('rejects a second POST with the same bulkId and accepts the first', () => {
    const { operations, creators } = planOf(post('a'), post('a', 'a'), {
      ...post('a'),
      method: 'PUT',
      path: '/Groups/g',
    })
    assert.deepEqual(
      operations.map((one) => (one.kind === 'rejected' ? one.error.status : one.method)),
      ['POST', 400, 'PUT'],
    )
    assert.equal(creators.get('a'), operations[0])
  })

  test('rejects a reference to a bulkId that no POST has', () => {
    const change = { method: 'DELETE', path: '/Groups/bulkId:b', bulkId: 'c' }
    const { operations } = planOf(post('a', 'c'), change, post('x', 'a'))
    assert.deepEqual(
      operations.map((one) => (one.kind === 'rejected' ? one.error.message : one.method)),
      ['No POST in this request has the bulkId "c".', 'No POST in this request has the bulkId "b".', 'POST'],
    )
  })
})

/** The step of each node. */
function stepNumbers(steps: readonly (readonly number[])[]): Map<number, number> {
  return new Map(steps.flatMap((step, number) => step.map((node) => [node, number] as const)))
}

/** Whether a node can be reached from another by dependencies, or from itself by at least one. */
function reaches(dependencies: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set<number>()
  const open = [...(dependencies[from] ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === to) return true
    if (!seen.has(node)) open.push(...(dependencies[node] ?? []))
    seen.add(node)
  }
  return false
}

const graph = fc
  .integer({ min: 0, max: 12 })
  .chain((size) => fc.array(fc.uniqueArray(fc.nat({ max: Math.max(size - 1, 0) }), { maxLength: 3 }), graphSize(size)))

/** Nodes are put in a random order, and depend on those that come after them in another. */
const acyclicGraph = graph.map((dependencies) => dependencies.map((each, node) => each.filter((one) => one > node)))

function graphSize(size: number) {
  return { minLength: size, maxLength: size }
}

describe('the order of operations', () => {
  for (const { dependencies, steps, what } of [
    { dependencies: [], steps: [], what: 'nothing' },
    { dependencies: [[], [], []], steps: [[0], [1], [2]], what: 'independent nodes' },
    { dependencies: [[], [0], [1]], steps: [[0], [1], [2]], what: 'nodes already in order' },
    { dependencies: [[2], [], []], steps: [[2], [0], [1]], what: 'a forward reference' },
    { dependencies: [[1, 2], [3], [3], []], steps: [[3], [1], [2], [0]], what: 'two paths to one node' },
    { dependencies: [[0]], steps: [[0]], what: 'a reference to itself' },
    { dependencies: [[1], [0]], steps: [[1, 0]], what: 'a cycle of two' },
    { dependencies: [[1], [2], [0], [0]], steps: [[2, 1, 0], [3]], what: 'a cycle that is depended on' },
    { dependencies: [[1, 3], [2], [1], []], steps: [[2, 1], [3], [0]], what: 'a cycle in a chain' },
    { dependencies: [[1, 2], [0], [0]], steps: [[1, 2, 0]], what: 'two cycles with a common node' },
  ]) {
    test(`of ${what} is ${JSON.stringify(steps)}`, () => assert.deepEqual(orderSteps(dependencies), steps))
  }

  test('puts each node of an acyclic graph after its dependencies', () => {
    fc.assert(
      fc.property(acyclicGraph, (dependencies) => {
        const order = orderSteps(dependencies).map(([only, ...others]) => {
          assert.deepEqual(others, [])
          return only ?? -1
        })
        assert.deepEqual(
          [...order].sort((a, b) => a - b),
          [...dependencies.keys()],
        )
        const places = stepNumbers(order.map((node) => [node]))
        for (const [node, each] of dependencies.entries()) {
          for (const one of each) assert.ok((places.get(one) ?? -1) < (places.get(node) ?? -1))
        }
      }),
      { numRuns: cases(1000) },
    )
  })

  test('puts exactly the nodes that depend on each other into one step', () => {
    fc.assert(
      fc.property(graph, (dependencies) => {
        const steps = stepNumbers(orderSteps(dependencies))
        assert.equal(steps.size, dependencies.length)
        for (const a of dependencies.keys()) {
          for (const b of dependencies.keys()) {
            const isMutual = a === b || (reaches(dependencies, a, b) && reaches(dependencies, b, a))
            assert.equal(steps.get(a) === steps.get(b), isMutual, `${a} and ${b}`)
          }
        }
        for (const [node, each] of dependencies.entries()) {
          for (const one of each) assert.ok((steps.get(one) ?? -1) <= (steps.get(node) ?? -1))
        }
      }),
      { numRuns: cases(1000) },
    )
  })

  test('handles a very long chain and a very long cycle', () => {
    const size = 100_000
    const chain = Array.from({ length: size }, (_, node) => (node + 1 < size ? [node + 1] : []))
    assert.deepEqual(orderSteps(chain).slice(0, 2), [[size - 1], [size - 2]])
    const cycle = Array.from({ length: size }, (_, node) => [(node + 1) % size])
    assert.equal(orderSteps(cycle)[0]?.length, size)
  })
})

describe('the plan of a bulk request', () => {
  const post = (bulkId: string, ...members: string[]) => {
    return { method: 'POST', path: '/Groups', bulkId, data: { members: members.map((value) => `bulkId:${value}`) } }
  }
  const planOf = (...operations: unknown[]) => planBulk(parseBulkRequest({ Operations: operations }).operations)

  test('lists the operations of a cycle that must be completed', () => {
    const [step, ...others] = planOf(post('a', 'b'), post('b', 'c', 'b'), post('c', 'a')).steps
    assert.deepEqual(others, [])
    assert.ok(step?.kind === 'cycle')
    assert.deepEqual(step.creations.map(({ bulkId }) => bulkId).join(), 'c,b,a')
    assert.deepEqual(step.incomplete.map(({ bulkId }) => bulkId).join(), 'c,b')
  })

  test('rejects a second POST with the same bulkId and keeps the first', () => {
    const { operations, creators: makers } = planOf(post('a'), post('a', 'a'), {
      ...post('a'),
      method: 'PUT',
      path: '/Groups/g',
    })
    assert.deepEqual(
      operations.map((one) => (one.kind === 'rejected' ? one.error.status : one.method)),
      ['POST', 400, 'PUT'],
    )
    assert.equal(makers.get('a'), operations[0])
  })

  test('rejects a reference to a bulkId no POST has', () => {
    const change = { method: 'DELETE', path: '/Groups/bulkId:b', bulkId: 'c' }
    const { operations } = planOf(post('a', 'c'), change, post('x', 'a'))
    assert.deepEqual(
      operations.map((one) => (one.kind === 'rejected' ? one.error.message : one.method)),
      ['No POST in this request has the bulkId "c".', 'No POST in this request has the bulkId "b".', 'POST'],
    )
  })
})
