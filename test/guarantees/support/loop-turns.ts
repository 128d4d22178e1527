/** Counts the turns of this process's event loop. */
export interface LoopTurns extends Disposable {
  /** The number of turns since counting began. */
  count(): number
}

/** Begins to count turns of the event loop. */
export function countLoopTurns(): LoopTurns {
  let count = 0
  let isCounting = true
  const onTurn = () => {
    count += 1
    if (isCounting) setImmediate(onTurn)
  }
  setImmediate(onTurn)
  return {
    count: () => count,
    [Symbol.dispose]() {
      isCounting = false
    },
  }
}
