import { parseArgs } from 'node:util'
import type { WorkspaceSizes } from '../test/unit/fake-google/generate.ts'
import { largeWorkspace } from '../test/unit/fake-google/generate.ts'
import type { EngineName } from './engines/engine.ts'
import { engineNames } from './engines/engine.ts'

export const sectionNames = [
  'rates',
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
  'delivery',
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
  readonly rounds: number
  readonly slotMs: number
  /** Users that exist before the measurement. */
  readonly pool: number
  /** Users of the large directory; every second one is in its group. */
  readonly largeUsers: number
  readonly sync: { readonly users: number; readonly groups: number }
  readonly starts: number
  readonly delivery: {
    /** Repetitions, of which the median counts. */
    readonly rounds: number
    /** Events delivered in a round. */
    readonly events: number
    /** Events delivered one at a time, to measure the delay. */
    readonly single: number
  }
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
}

const full: Scale = {
  ...{ rounds: 5, slotMs: 500, pool: 4_000, largeUsers: 100_000, starts: 5 },
  sync: { users: 20_000, groups: 200 },
  delivery: { rounds: 3, events: 10_000, single: 300 },
  extdir: largeWorkspace,
  ...{ backlog: 1_000_000, hangingDirectories: 1_000, quietDirectories: 100_000 },
  scope: { directories: 10_000, products: 50, users: 10 },
}
const quick: Scale = {
  ...{ rounds: 2, slotMs: 60, pool: 600, largeUsers: 5_000, starts: 2 },
  sync: { users: 1_000, groups: 10 },
  delivery: { rounds: 1, events: 500, single: 30 },
  extdir: { seed: 1, users: 1_000, groups: 25, memberships: 5_000 },
  ...{ backlog: 20_000, hangingDirectories: 200, quietDirectories: 2_000 },
  scope: { directories: 200, products: 50, users: 10 },
}

export const usage = `npm run bench -- [options]

  --quick          everything, briefly: to see that it works, not to compare figures
  --engine NAME    ${engineNames.join(' or ')}; default: both
  --only NAME      one section: ${sectionNames.join(', ')}
  --directories N  of the sections scope and product; default: 10,000, and in scope 1,000 on SQLite
  --users N        of each of them; default: 10
  --json FILE      where the figures go; default: bench/results/<time>.json
`

/** @throws Error for unknown options */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean' }, engine: text, json: text, only: text, directories: text, users: text },
  })
  const isQuick = values.quick === true
  return {
    isQuick,
    scale: withScope(isQuick ? quick : full, values),
    engines: chosen('engine', engineNames, values.engine),
    sections: chosen('only', sectionNames, values.only),
    jsonFile: values.json,
  }
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
