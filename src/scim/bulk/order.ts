/**
 * Sorts nodes so that each comes after its dependencies, keeping the original order where possible. Nodes that depend
 * on each other, directly or not, form one step; inside a step each comes after its dependencies as far as the cycle
 * allows.
 *
 * This is Tarjan's algorithm for strongly connected components, written as a loop because a chain can be too long for
 * recursion.
 *
 * @param dependencies for each node, the indexes of the nodes it depends on
 * @returns every node exactly once
 */
export function orderSteps(dependencies: readonly (readonly number[])[]): number[][] {
  const search: Search = { dependencies, discovered: new Map(), settled: new Set(), path: [], waiting: [], steps: [] }
  for (const node of dependencies.keys()) {
    if (!search.discovered.has(node)) enter(search, node)
    for (let visit = search.path.at(-1); visit !== undefined; visit = search.path.at(-1)) advance(search, visit)
  }
  return search.steps
}

interface Search {
  readonly dependencies: readonly (readonly number[])[]
  /** The position of each discovered node in the order of discovery: 0, 1, 2 … */
  readonly discovered: Map<number, number>
  /** Nodes that are already part of a step. */
  readonly settled: Set<number>
  /** The nodes from the start of the search to the current one. */
  readonly path: Visit[]
  /** Nodes that were finished but are not part of a step yet, in the order they were finished. */
  readonly waiting: number[]
  readonly steps: number[][]
}

interface Visit {
  readonly node: number
  /** Its position in the order of discovery. */
  readonly position: number
  /** The number of waiting nodes when this one was discovered. */
  readonly waitingBefore: number
  /** The number of dependencies that were followed so far. */
  followed: number
  /** The earliest position on the path that is reachable from here; one before its own means a cycle. */
  lowest: number
}

function enter({ discovered, path, waiting }: Search, node: number): void {
  const position = discovered.size
  discovered.set(node, position)
  path.push({ node, position, waitingBefore: waiting.length, followed: 0, lowest: position })
}

function advance(search: Search, visit: Visit): void {
  const dependency = search.dependencies[visit.node]?.[visit.followed]
  visit.followed += 1
  if (dependency === undefined) leave(search, visit)
  else follow(search, visit, dependency)
}

function follow(search: Search, visit: Visit, dependency: number): void {
  const position = search.discovered.get(dependency)
  if (position === undefined) enter(search, dependency)
  else if (!search.settled.has(dependency)) visit.lowest = Math.min(visit.lowest, position)
}

function leave({ path, waiting, steps, settled }: Search, { node, position, waitingBefore, lowest }: Visit): void {
  path.pop()
  waiting.push(node)
  const before = path.at(-1)
  if (before !== undefined) before.lowest = Math.min(before.lowest, lowest)
  if (lowest < position) return
  const step = waiting.splice(waitingBefore)
  for (const member of step) settled.add(member)
  steps.push(step)
}
