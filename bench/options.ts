import { parseArgs } from 'node:util'
import type { WorkspaceSizes } from '../test/unit/fake-google/generate.ts'
import { largeWorkspace } from '../test/unit/fake-google/generate.ts'
import type { EngineName } from './engines/engine.ts'
import { engineNames } from './engines/engine.ts'
import type { Turns } from './load/turns.ts'

export const sectionNames = [
  'work',
  'statements',
  'log',
  'token',
  'mapping',
  'mapping-others',
  'size',
  'sync',
  'stream',
  'neighbours',
  'endpoint',
  'start',
  'backlog',
  'extdir',
  'hanging',
  'idle',
  'processes',
  'scaling',
  'scope',
  'product',
  'console',
] as const
export type SectionName = (typeof sectionNames)[number]

/** The amount of work in each section. */
export interface Scale {
  readonly turns: Omit<Turns, 'connections'>
  /** The turns of reads that take long. */
  readonly reads: Pick<Turns, 'requests' | 'warmUp'>
  /** Events whose delays are measured one by one, in a turn. */
  readonly delays: number
  /** Users that exist before the measurement. */
  readonly pool: number
  /** Users of the large directory; every second one is in its group. */
  readonly largeUsers: number
  readonly sync: { readonly users: number; readonly groups: number }
  readonly starts: number
  /** The Google Workspace to sync. */
  readonly extdir: WorkspaceSizes
  /** Undelivered events of one directory. */
  readonly backlog: number
  /** Directories of one tenant whose endpoints hang. */
  readonly hangingDirectories: number
  readonly quietDirectories: number
  /** What calls over all directories are about, beside 100 directories for comparison; users are those of each directory. */
  readonly scope: { readonly directories: number; readonly products: number; readonly users: number }
}

export interface Options {
  readonly isQuick: boolean
  readonly scale: Scale
  readonly engines: readonly EngineName[]
  readonly sections: readonly SectionName[]
  /** The file for the figures. */
  readonly jsonFile: string | undefined
  /** The commit whose work is measured as well. */
  readonly against: string | undefined
  /** Whether the work of Polis is measured as well. */
  readonly isWithPolis: boolean
}

const full: Scale = {
  turns: { turns: 6, requests: 1_000, warmUp: 5_000 },
  ...{ reads: { requests: 100, warmUp: 500 }, delays: 100, pool: 2_000, largeUsers: 100_000, starts: 5 },
  sync: { users: 20_000, groups: 200 },
  extdir: largeWorkspace,
  ...{ backlog: 1_000_000, hangingDirectories: 1_000, quietDirectories: 100_000 },
  scope: { directories: 10_000, products: 50, users: 10 },
}
const quick: Scale = {
  turns: { turns: 2, requests: 50, warmUp: 100 },
  ...{ reads: { requests: 20, warmUp: 20 }, delays: 20, pool: 300, largeUsers: 5_000, starts: 2 },
  sync: { users: 1_000, groups: 10 },
  extdir: { seed: 1, users: 1_000, groups: 25, memberships: 5_000 },
  ...{ backlog: 20_000, hangingDirectories: 200, quietDirectories: 2_000 },
  scope: { directories: 200, products: 50, users: 10 },
}

export const usage = `npm run bench -- [options]

  --quick          everything, briefly: to see that it works, not to compare figures
  --engine NAME    ${engineNames.join(' or ')}; default: both
  --against COMMIT measures the work of a commit as well, in turns
  --polis          measures the work of Polis' library as well, in turns, on PostgreSQL
  --only NAME      one section: ${sectionNames.join(', ')}
  --turns N        of what is measured in turns; default: 6
  --directories N  of the sections scope and product; default: 10,000, and in scope 1,000 on SQLite
  --users N        of each of them; default: 10
  --json FILE      where the figures go; default: bench/results/<time>.json
`

/** @throws Error for unknown options */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ quick: { type: 'boolean' }, polis: { type: 'boolean' }, against: text, turns: text },
      ...{ engine: text, json: text, only: text, directories: text, users: text },
    },
  })
  const isQuick = values.quick === true
  return {
    isQuick,
    scale: withTurns(withScope(isQuick ? quick : full, values), values),
    engines: chosen('engine', engineNames, values.engine),
    sections: chosen('only', sectionNames, values.only),
    jsonFile: values.json,
    against: values.against,
    isWithPolis: values.polis === true,
  }
}

/** @throws Error when it is no number */
function withTurns(scale: Scale, given: { readonly turns?: string }): Scale {
  return { ...scale, turns: { ...scale.turns, turns: numberOf('turns', given.turns) ?? scale.turns.turns } }
}

/** @throws Error when one is no number */
function withScope(scale: Scale, given: { readonly directories?: string; readonly users?: string }): Scale {
  const { directories, users } = scale.scope
  const scope = {
    directories: numberOf('directories', given.directories) ?? directories,
    users: numberOf('users', given.users) ?? users,
  }
  return { ...scale, scope: { ...scale.scope, ...scope } }
}

function numberOf(option: string, value: string | undefined): number | undefined {
  if (value !== undefined && !/^[1-9]\d{0,4}$/.test(value)) throw new Error(`--${option} is a number up to 99,999.`)
  return value === undefined ? undefined : Number(value)
}

function chosen<T extends string>(option: string, all: readonly T[], value: string | undefined): readonly T[] {
  if (value === undefined) return all
  const found = all.find((one) => one === value)
  if (found === undefined) throw new Error(`--${option} is one of ${all.join(', ')}.`)
  return [found]
}
