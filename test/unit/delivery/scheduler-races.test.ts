import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { createSimulation } from './support/simulation.ts'

const directories = ['d1', 'd2', 'd3']

type Step =
  | { readonly does: 'commit'; readonly directory: number; readonly count: number; readonly place: number }
  | { readonly does: 'wait'; readonly ms: number }
  | { readonly does: 'crash' | 'stop'; readonly place: number }
  | { readonly does: 'change'; readonly directory: number; readonly place: number }

const directory = fc.nat({ max: directories.length - 1 })
const place = fc.nat({ max: 1 })
const commit = fc.record({
  does: fc.constant('commit' as const),
  directory,
  count: fc.integer({ min: 1, max: 5 }),
  place,
})
const wait = fc.record({
  does: fc.constant('wait' as const),
  ms: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 9_000 })),
})
const upset = fc.record({ does: fc.constantFrom('crash' as const, 'stop' as const), place })
const change = fc.record({ does: fc.constant('change' as const), directory, place })

function steps(...kinds: { arbitrary: fc.Arbitrary<Step>; weight: number }[]): fc.Arbitrary<Step[]> {
  return fc.array(fc.oneof(...kinds), { minLength: 5, maxLength: 60 })
}

/** Pseudo-random numbers from 0 to 1, determined by the seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Simulation = ReturnType<typeof createSimulation>

async function play(simulation: Simulation, script: readonly Step[]): Promise<Map<string, number>> {
  const committed = new Map<string, number>()
  const pending: Promise<void>[] = []
  for (const step of script) {
    if (step.does === 'wait') await simulation.run(step.ms)
    if (step.does === 'crash') simulation.crash(step.place)
    if (step.does === 'stop') pending.push(simulation.stop(step.place))
    if (step.does !== 'commit' && step.does !== 'change') continue
    const id = directories[step.directory] ?? assert.fail()
    if (step.does === 'change') await simulation.change(id, step.place)
    else {
      simulation.commit(id, step.count, step.place)
      committed.set(id, (committed.get(id) ?? 0) + step.count)
    }
  }
  simulation.recover()
  await simulation.run(20 * 60_000)
  await Promise.all(pending)
  await simulation.close()
  return committed
}

const takenOf = ({ delivered }: Simulation, id: string): number[] =>
  delivered.filter(({ directoryId }) => directoryId === id).map(({ sequence }) => sequence)

const oneTo = (count = 0) => Array.from({ length: count }, (_, index) => index + 1)

test('two processes deliver every event, and none before earlier ones, whatever happens to them', async () => {
  const script = steps(
    ...[
      { arbitrary: commit, weight: 8 },
      { arbitrary: wait, weight: 8 },
      { arbitrary: upset, weight: 1 },
      { arbitrary: change, weight: 1 },
    ],
  )
  const property = fc.asyncProperty(script, fc.nat(), async (does, seed) => {
    const simulation = createSimulation({ random: randomOf(seed), storeMs: 400, sendMs: 5_000, failing: 0.1 })
    for (let count = 0; count < 2; count += 1) simulation.startProcess()
    const committed = await play(simulation, does)
    for (const [id, count] of committed) {
      const firsts = [...new Set(takenOf(simulation, id))]
      assert.deepEqual(firsts, oneTo(count))
      assert.equal(simulation.memory.deliveredOf(id, 'endpoint'), count)
    }
    assert.deepEqual(simulation.errors, [])
    assert.equal(simulation.time.countTimers(), 0)
  })
  await fc.assert(property, { numRuns: 25 })
})

test('without failures one process sends every event once, however slow store and endpoint are', async () => {
  const script = steps({ arbitrary: commit, weight: 1 }, { arbitrary: wait, weight: 1 })
  const property = fc.asyncProperty(script, fc.nat(), async (does, seed) => {
    const simulation = createSimulation({ random: randomOf(seed), storeMs: 400, sendMs: 7_000, failing: 0 })
    simulation.startProcess()
    const committed = await play(simulation, does)
    for (const [id, count] of committed) assert.deepEqual(takenOf(simulation, id), oneTo(count))
    assert.deepEqual(simulation.errors, [])
    assert.equal(simulation.time.countTimers(), 0)
  })
  await fc.assert(property, { numRuns: 25 })
})
