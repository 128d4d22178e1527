/** Runs work on the same key one at a time, in the order of the calls; work on different keys does not wait. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Makes an `InTurn`. Changes of one resource in one process take turns, so that a burst of them does not spend itself on
 * version conflicts; the version still decides between processes.
 */
export function createInTurn(): InTurn {
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
