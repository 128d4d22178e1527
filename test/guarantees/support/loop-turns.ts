/** Watches the event loop of this process. */
export interface LoopTurns extends Disposable {
  /** The processor time of the longest turn so far, in milliseconds: what other processes do does not count. */
  longestMs(): number
}

/** Begins to watch: every turn of the loop is measured by the processor time that this thread has used in it. */
export function watchLoopTurns(): LoopTurns {
  let longest = 0
  let isWatching = true
  let before = usedMs()
  const look = () => {
    const now = usedMs()
    longest = Math.max(longest, now - before)
    before = now
    if (isWatching) setImmediate(look)
  }
  setImmediate(look)
  return {
    longestMs: () => longest,
    [Symbol.dispose]() {
      isWatching = false
    },
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
