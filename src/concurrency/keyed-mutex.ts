/** Runs work with the same key one at a time, in the order of the calls; work with different keys runs concurrently. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Creates a keyed mutex. It covers this process only. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key)
    const mine = before === undefined ? work() : before.then(work, work)
    last.set(key, mine)
    const leave = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(leave, leave)
    return mine
  }
}
