import { median } from '../load/sample.ts'

/** Something that is done over and over. Only `run` is timed. */
export interface Job {
  readonly isAsync: boolean
  /** Makes what a batch needs, at most `maxBatch` of it; answers what is done for the index 0, 1, 2 … */
  prepare(count: number): (index: number) => unknown
  readonly maxBatch: number
}

/** Two that do the same. */
export interface Pair {
  readonly ours: Job
  readonly theirs: Job
}

export interface Plan {
  /** Those that count, behind the first, which warms everyone up. */
  readonly rounds: number
  /** How long each one's turn lasts. */
  readonly slotMs: number
}

/** How often per second each was done, and how many times as often ours: the medians over the rounds. */
export interface Measured {
  readonly ourRate: number
  readonly theirRate: number
  readonly ratio: number
}

/**
 * Measures all pairs in rounds: each round goes over all of them, and the two of a pair take turns next to each other,
 * beginning with the one or the other. The speed of a shared machine drifts; what drifts together is compared.
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

/** How long a batch is to take, so that reading the clock costs nothing beside it. */
const batchMs = 1

/** Answers how often per second a job is done, measured for `slotMs`. Remembers how many fill a batch. */
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

/** Keeps what jobs answer, so that none of it can be left undone. */
const sinkSize = 16

async function timeBatch(job: Job, count: number): Promise<number> {
  const run = job.prepare(count)
  const sink: unknown[] = new Array(sinkSize).fill(null)
  const tookMs = job.isAsync ? await timeAsync(run, count, sink) : timeSync(run, count, sink)
  if (sink.includes(undefined)) throw new Error('a job answered nothing')
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
