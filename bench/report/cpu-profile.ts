import process from 'node:process'
import { createPalette } from '../../src/cli/terminal/palette.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'

/** The parts of a `node --cpu-prof` profile that are used here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

export function parseProfile(text: string): CpuProfile {
  return JSON.parse(text) as CpuProfile
}

interface Cost {
  self: number
  inclusive: number
}

const shown = 30

/** The most expensive functions, by self time and by inclusive time, without idle time. */
export function topFunctions(profile: CpuProfile): string {
  const costs = costsByFunction(profile)
  const busy = [...costs].reduce((sum, [, { self }]) => sum + self, 0)
  const percent = (part: number) => ((part / busy) * 100).toFixed(1)
  const table = (title: keyof Cost, only: (name: string) => boolean) => {
    const top = [...costs].filter(([name]) => only(name)).sort(([, a], [, b]) => b[title] - a[title])
    const rows = top.slice(0, shown).map(([name, cost]) => [name, percent(cost.self), percent(cost.inclusive)])
    const columns = [
      { title: `by ${title} time`, maxWidth: 90 },
      { title: 'self %', align: 'right' as const },
      { title: 'incl. %', align: 'right' as const },
    ]
    return renderTable(columns, rows, createPalette(process))
  }
  const isOurs = (name: string) => name.includes(' src/')
  return [table('self', () => true), table('self', isOurs), table('inclusive', isOurs)].join('\n')
}

function costsByFunction({ nodes, samples, timeDeltas }: CpuProfile): Map<string, Cost> {
  const selfOf = new Map<number, number>()
  for (const [index, id] of samples.entries()) selfOf.set(id, (selfOf.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const costs = new Map<string, Cost>()

  /** Adds a node's time to its function and, once each, to its callers; returns it. */
  function add(node: ProfileNode, callers: ReadonlySet<string>): number {
    const name = nameOf(node)
    const inner = new Set([...callers, name])
    const self = isIdle(node) ? 0 : (selfOf.get(node.id) ?? 0)
    let inclusive = self
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined) inclusive += add(child, inner)
    }
    const cost = costs.get(name) ?? { self: 0, inclusive: 0 }
    costs.set(name, cost)
    cost.self += self
    if (!callers.has(name)) cost.inclusive += inclusive
    return inclusive
  }

  const [root] = nodes
  if (root !== undefined) add(root, new Set())
  return costs
}

function isIdle({ callFrame: { functionName } }: ProfileNode): boolean {
  return functionName === '(idle)'
}

/** `name file:line`, with the path in this repository. */
function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(src|bench)\//, '$1/')
  return url === '' ? functionName || '(anonymous)' : `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
}
