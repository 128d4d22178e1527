import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { MappedRevision } from '../mapped-users.ts'
import { isRejected } from './errors.ts'

const maxWrites = 256

/** Makes work on a directory take its turn among its writes. */
export type InTurn = <T>(directoryId: string, work: () => Promise<T>) => Promise<T>

export function createInTurn({ enqueue }: KeyedQueue): InTurn {
  return (directoryId, work) =>
    new Promise((resolve, reject) => {
      enqueue(directoryId, () => work().then(resolve, reject))
    })
}

/**
 * Does writes of a directory together, in one transaction: all of them, or some if not all can share one. Returns their
 * results, each at the index of its input; undefined for the writes that were left out.
 */
export type RunBatch<I, O extends object | string> = (
  directory: MappedRevision,
  inputs: readonly I[],
) => Promise<readonly (O | undefined)[]>

interface Write<I, O> {
  readonly input: I
  readonly resolve: (result: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches the writes of one kind: those that arrive while their directory is busy are done together. Unlike `createBatch`, a
 * batch takes its turn among all other work of its directory, and is halved when the database rejects it; what one of its
 * transactions has committed is never repeated. Writes that were authorized under different revisions of the directory, or only
 * some of which are without a removal limit, do not share a batch.
 */
export function batchWrites<I, O extends object | string>(
  { enqueue }: KeyedQueue,
  run: RunBatch<I, O>,
): (directory: MappedRevision, input: I) => Promise<O> {
  const collecting = new Map<string, Write<I, O>[]>()
  return (directory, input) =>
    new Promise((resolve, reject) => {
      const key = `${directory.id}/${directory.revision}/${directory.removalLimit === null}/${directory.uniqueGroupNames}`
      const writes = collecting.get(key) ?? []
      writes.push({ input, resolve, reject })
      if (writes.length === maxWrites) collecting.delete(key)
      if (writes.length > 1) return
      collecting.set(key, writes)
      enqueue(directory.id, () => {
        if (collecting.get(key) === writes) collecting.delete(key)
        return settle(directory, writes, run)
      })
    })
}

/**
 * Does the writes and settles them, each as soon as its transaction has committed. When the database rejects a transaction,
 * only the offending write is rejected; when it is not available, all that are left are.
 */
async function settle<I, O extends object | string>(
  directory: MappedRevision,
  writes: readonly Write<I, O>[],
  run: RunBatch<I, O>,
): Promise<void> {
  let left = writes
  while (left.length > 0) {
    const inputs = left.map(({ input }) => input)
    try {
      const results = await run(directory, inputs)
      for (const [index, result] of results.entries()) if (result !== undefined) left[index]?.resolve(result)
      left = left.filter((_, index) => results[index] === undefined)
    } catch (error) {
      return left.length > 1 && isRejected(error) ? settleHalves(directory, left, run) : rejectAll(left, error)
    }
  }
}

async function settleHalves<I, O extends object | string>(
  directory: MappedRevision,
  writes: readonly Write<I, O>[],
  run: RunBatch<I, O>,
): Promise<void> {
  const half = writes.length >> 1
  await settle(directory, writes.slice(0, half), run)
  await settle(directory, writes.slice(half), run)
}

function rejectAll(writes: readonly Pick<Write<unknown, unknown>, 'reject'>[], error: unknown): void {
  for (const { reject } of writes) reject(error)
}
