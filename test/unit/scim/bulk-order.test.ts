import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseBulkRequest } from '../../../src/scim/bulk/messages.ts'
import { orderSteps } from '../../../src/scim/bulk/order.ts'
import { planBulk } from '../../../src/scim/bulk/plan.ts'

/** Where each node is, by the number of its step. */
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
      { numRuns: 1000 },
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
      { numRuns: 1000 },
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
      operations.map((one) => (one.kind === 'refused' ? one.refusal.status : one.method)),
      ['POST', 400, 'PUT'],
    )
    assert.equal(makers.get('a'), operations[0])
  })

  test('rejects a reference to a bulkId no POST has', () => {
    const change = { method: 'DELETE', path: '/Groups/bulkId:b', bulkId: 'c' }
    const { operations } = planOf(post('a', 'c'), change, post('x', 'a'))
    assert.deepEqual(
      operations.map((one) => (one.kind === 'refused' ? one.refusal.message : one.method)),
      ['No POST in this request has the bulkId "c".', 'No POST in this request has the bulkId "b".', 'POST'],
    )
  })
})
