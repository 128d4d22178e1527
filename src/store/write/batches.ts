import type { DirectoryChanged } from '../../directory/directory-store.ts'
import { StoreUnavailable } from '../errors.ts'
import type { WrittenDirectory } from './effects/effect.ts'

const maxWrites = 256

/**
 * Does writes of a directory together, in one transaction: all of them, or some if not all can share one. Returns their
 * results, each at the index of its input; undefined for the writes that were left out. If the directory was changed, none is done.
 *
 * @param take returns the inputs; none is added to them from then on
 */
export type RunBatch<I, O extends object | string> = (
  directory: WrittenDirectory,
  take: () => readonly I[],
) => Promise<readonly (O | undefined)[] | DirectoryChanged>

/** Starts work on a directory when it is its turn among the writes of the directory. */
type Enqueue = (directoryId: string, work: () => Promise<void>) => void

interface Write<I, O> {
  readonly input: I
  readonly resolve: (result: O | DirectoryChanged) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches the writes of one kind: those that arrive before their batch is run are done together. Unlike `createBatch`, a
 * batch takes its turn among all other work of its directory, and is halved when the database rejects it; what one of its
 * transactions has committed is never repeated. Writes that were authorized under different revisions of the directory, or only
 * some of which are without a removal limit, do not share a batch.
 */
export function batchWrites<I, O extends object | string>(
  enqueue: Enqueue,
  run: RunBatch<I, O>,
): (directory: WrittenDirectory, input: I) => Promise<O | DirectoryChanged> {
  const collecting = new Map<string, Write<I, O>[]>()
  return (directory, input) =>
    new Promise((resolve, reject) => {
      const key = `${directory.id}/${directory.revision}/${directory.removalLimit === null}/${directory.uniqueGroupNames}`
      const writes = collecting.get(key) ?? []
      writes.push({ input, resolve, reject })
      if (writes.length === maxWrites) collecting.delete(key)
      if (writes.length > 1) return
      collecting.set(key, writes)
      const close = () => {
        if (collecting.get(key) === writes) collecting.delete(key)
      }
      enqueue(directory.id, () => settle(directory, writes, run, close))
    })
}

/**
 * Does the writes and settles them, each as soon as its transaction has committed. When the database rejects a transaction,
 * only the offending write is rejected; when it is not available, all that are left are.
 *
 * @param close is called before no more writes may be added
 */
async function settle<I, O extends object | string>(
  directory: WrittenDirectory,
  writes: readonly Write<I, O>[],
  run: RunBatch<I, O>,
  close = () => {},
): Promise<void> {
  let left = writes
  while (left.length > 0) {
    const taken = left
    const take = () => {
      close()
      return taken.map(({ input }) => input)
    }
    try {
      const results = await run(directory, take)
      if (results === 'directory-changed') {
        // Maybe before the inputs were taken.
        close()
        for (const { resolve } of taken) resolve(results)
        return
      }
      for (const [index, result] of results.entries()) if (result !== undefined) taken[index]?.resolve(result)
      left = taken.filter((_, index) => results[index] === undefined)
    } catch (error) {
      close()
      if (taken.length === 1 || error instanceof StoreUnavailable) return rejectAll(taken, error)
      return settleHalves(directory, taken, run)
    }
  }
}

async function settleHalves<I, O extends object | string>(
  directory: WrittenDirectory,
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
