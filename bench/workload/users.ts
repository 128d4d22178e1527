import type { Call } from '../load/call.ts'
import type { Connection } from '../load/connection.ts'
import { drive } from '../load/drive.ts'
import type { ScimCalls } from './scim-calls.ts'
import { idOf } from './scim-calls.ts'

/** Makes calls that each create a resource; returns the ids. */
export async function createAll(connections: readonly Connection[], calls: readonly Call[]): Promise<string[]> {
  const ids: string[] = []
  await drive(connections, calls, {
    onAnswer(index, answer) {
      ids[index] = idOf(answer)
    },
  })
  return ids
}

let groups = 0

/** Creates empty groups with different names. */
export function createGroups(connections: readonly Connection[], calls: ScimCalls, count: number): Promise<string[]> {
  return createAll(
    connections,
    times(count, () => calls.createGroup(`Group ${groups++}`)),
  )
}

/** The results of calling a function with 0, 1, 2 … */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** The item at an index of a list that repeats. */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}

/** Makes a number of items, one after the other. */
export async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}
