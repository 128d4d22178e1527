/**
 * Orders nodes behind what they depend on, and keeps their own order where that leaves a choice. Nodes that depend on each
 * other, if by way of others, come as one step; within it, each behind what it depends on as far as a cycle allows.
 *
 * It is Tarjan's search for strongly connected components, without recursion: a chain may be as long as it likes.
 *
 * @param dependencies of each node, the numbers of those that it depends on
 * @returns every node once
 */
export function orderSteps(dependencies: readonly (readonly number[])[]): number[][] {
  const search: Search = { dependencies, places: new Map(), settled: new Set(), way: [], waiting: [], steps: [] }
  for (const node of dependencies.keys()) {
    if (!search.places.has(node)) enter(search, node)
    for (let visit = search.way.at(-1); visit !== undefined; visit = search.way.at(-1)) advance(search, visit)
  }
  return search.steps
}

interface Search {
  readonly dependencies: readonly (readonly number[])[]
  /** When each node was come upon: 0, 1, 2 … */
  readonly places: Map<number, number>
  /** The nodes that are in a step. */
  readonly settled: Set<number>
  /** From the node where the search began to the one that it is at. */
  readonly way: Visit[]
  /** Nodes that were left and are in no step yet, in the order of being left. */
  readonly waiting: number[]
  readonly steps: number[][]
}

interface Visit {
  readonly node: number
  readonly place: number
  /** How many nodes were waiting when this one was come upon. */
  readonly waitingBefore: number
  /** How many of its dependencies were followed. */
  followed: number
  /** The first place on the way that can be reached from here: an earlier one than its own means a cycle. */
  lowest: number
}

function enter({ places, way, waiting }: Search, node: number): void {
  const place = places.size
  places.set(node, place)
  way.push({ node, place, waitingBefore: waiting.length, followed: 0, lowest: place })
}

function advance(search: Search, visit: Visit): void {
  const dependency = search.dependencies[visit.node]?.[visit.followed]
  visit.followed += 1
  if (dependency === undefined) leave(search, visit)
  else follow(search, visit, dependency)
}

function follow(search: Search, visit: Visit, dependency: number): void {
  const place = search.places.get(dependency)
  if (place === undefined) enter(search, dependency)
  else if (!search.settled.has(dependency)) visit.lowest = Math.min(visit.lowest, place)
}

function leave({ way, waiting, steps, settled }: Search, { node, place, waitingBefore, lowest }: Visit): void {
  way.pop()
  waiting.push(node)
  const before = way.at(-1)
  if (before !== undefined) before.lowest = Math.min(before.lowest, lowest)
  if (lowest < place) return
  const step = waiting.splice(waitingBefore)
  for (const member of step) settled.add(member)
  steps.push(step)
}
