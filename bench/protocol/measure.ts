import { median } from '../load/sample.ts'

/** Something that is repeated. Only the function returned by `prepare` is timed. */
export interface Job {
  readonly isAsync: boolean
  /** Prepares a batch of at most `maxBatch` calls; returns the function called with the index 0, 1, 2 … */
  prepare(count: number): (index: number) => unknown
  readonly maxBatch: number
}

/** Two jobs that do the same. */
export interface Pair {
  readonly ours: Job
  readonly theirs: Job
}

export interface Plan {
  /** Counted rounds, after one that only warms up. */
  readonly rounds: number
  /** Duration of one measurement of a job. */
  readonly slotMs: number
}

/** Calls per second, and the ratio of ours to theirs: medians over the rounds. */
export interface Measured {
  readonly ourRate: number
  readonly theirRate: number
  readonly ratio: number
}

/**
 * Measures all pairs in rounds. In each round, the two jobs of a pair are measured one directly after the other, in
 * alternating order: the speed of a shared machine drifts, and neighbouring measurements drift together.
 */
export async function measurePairs(pairs: readonly Pair[], { rounds, slotMs }: Plan): Promise<Measured[]> {
  const samples = pairs.map(() => ({ ours: [] as number[], theirs: [] as number[] }))
  const rateOf = rateMeter(slotMs)
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { ours, theirs }] of pairs.entries()) {
      const theirsFirst = round % 2 === 1 ? await rateOf(theirs) : undefined
      const ourRate = await rateOf(ours)
      const theirRate = theirsFirst ?? (await rateOf(theirs))
      if (round === 0) continue
      samples[index]?.ours.push(ourRate)
      samples[index]?.theirs.push(theirRate)
    }
  }
  return samples.map(({ ours, theirs }) => {
    const ratios = ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN))
    return { ourRate: median(ours), theirRate: median(theirs), ratio: median(ratios) }
  })
}

/** The duration of a batch, long enough to make the cost of reading the clock negligible. */
const batchMs = 1

/** Returns a function that measures the calls per second of a job for `slotMs`. Remembers batch sizes. */
function rateMeter(slotMs: number): (job: Job) => Promise<number> {
  const batchSizes = new Map<Job, number>()
  return async (job) => {
    const end = performance.now() + slotMs
    let [done, timedMs] = [0, 0]
    do {
      const count = batchSizes.get(job) ?? 1
      const tookMs = await timeBatch(job, count)
      done += count
      timedMs += tookMs
      if (tookMs < batchMs / 2) batchSizes.set(job, Math.min(job.maxBatch, count * 2))
    } while (performance.now() < end)
    return (done / timedMs) * 1000
  }
}

/** The number of results that are stored, to prevent the compiler from removing the calls. */
const sinkSize = 16

async function timeBatch(job: Job, count: number): Promise<number> {
  const run = job.prepare(count)
  const sink: unknown[] = new Array(sinkSize).fill(null)
  const tookMs = job.isAsync ? await timeAsync(run, count, sink) : timeSync(run, count, sink)
  if (sink.includes(undefined)) throw new Error('a job returned undefined')
  return tookMs
}

function timeSync(run: (index: number) => unknown, count: number, sink: unknown[]): number {
  const start = performance.now()
  for (let index = 0; index < count; index += 1) sink[index % sinkSize] = run(index)
  return performance.now() - start
}

async function timeAsync(run: (index: number) => unknown, count: number, sink: unknown[]): Promise<number> {
  const start = performance.now()
  for (let index = 0; index < count; index += 1) sink[index % sinkSize] = await run(index)
  return performance.now() - start
}
