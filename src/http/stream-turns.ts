import type { TimeSlices } from '../concurrency/time-slices.ts'

/** How many chunks of a stream are made before the other streams of its key get their turns: about a megabyte. */
const chunksPerTurn = 16

/**
 * Decides which of the responses that are streams is continued next. One chunk is made per time slice, and keys take turns. A stream
 * keeps the turn of its key for several chunks, as long as its client reads them: what a stream holds between two chunks
 * survives garbage collections, so that the process grew by 10 MB while eight large groups were read in turns of one chunk.
 *
 * @returns a function that takes the key of a stream, and returns the function to call before each of its chunks: it resolves
 *   when the chunk may be made
 */
export function createStreamTurns(slices: TimeSlices): (key: string) => () => Promise<void> {
  let turns = 0
  /** The streams of a key that wait, by the number of their turn. */
  const waiting = new Map<string, Map<number, () => void>>()

  async function serve(key: string, streams: Map<number, () => void>): Promise<void> {
    while (streams.size > 0) {
      await slices.next(key)
      const first = Math.min(...streams.keys())
      const resume = streams.get(first)
      streams.delete(first)
      resume?.()
    }
    waiting.delete(key)
  }

  return (key) => {
    let [turn, chunks] = [0, 0]
    return () => {
      if (chunks % chunksPerTurn === 0) turn = turns++
      chunks += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      const streams = waiting.get(key)
      if (streams !== undefined) streams.set(turn, resolve)
      else {
        const alone = new Map([[turn, resolve]])
        waiting.set(key, alone)
        void serve(key, alone)
      }
      return promise
    }
  }
}
