import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Source files by their path below `src`, with their text. */
export type Sources = ReadonlyMap<string, string>

/**
 * What each room of the house, and each file at its door, may import of the others: the beginnings of paths. Files of one
 * room may import each other. What is not named here has no place in the house.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'concurrency/': [],
  'scim/': [],
  'directory/': ['concurrency/', 'scim/'],
  'provisioning/': ['concurrency/', 'scim/', 'directory/'],
  'delivery/': ['concurrency/', 'scim/', 'directory/', 'provisioning/'],
  'google/': ['concurrency/', 'scim/', 'directory/', 'provisioning/'],
  'admin/': ['concurrency/', 'scim/', 'directory/'],
  'store/': [
    'concurrency/',
    'scim/',
    'directory/',
    'delivery/store.ts',
    'delivery/log/store.ts',
    'delivery/feed/store.ts',
    'delivery/resync/',
    'delivery/retention-store.ts',
    'google/store.ts',
    'admin/store.ts',
    'admin/accounts/store.ts',
    'admin/keys/store.ts',
    'admin/audit/store.ts',
  ],
  'version.ts': [],
  'refusal.ts': ['scim/', 'directory/', 'store/errors.ts'],
  'library/': [
    ...['concurrency/', 'scim/', 'directory/', 'provisioning/', 'delivery/', 'google/', 'admin/', 'store/'],
    ...['refusal.ts', 'app/service.ts', 'version.ts'],
  ],
  'http/': [
    ...['concurrency/', 'scim/', 'directory/', 'provisioning/', 'delivery/', 'google/', 'admin/', 'store/'],
    ...['refusal.ts', 'app/service.ts', 'app/settings.ts', 'version.ts'],
  ],
  'app/': [
    ...['concurrency/', 'scim/', 'directory/', 'provisioning/', 'delivery/', 'google/', 'admin/', 'store/', 'http/'],
    ...['library/', 'refusal.ts', 'version.ts'],
  ],
  'index.ts': ['scim/', 'directory/', 'delivery/', 'google/', 'admin/', 'library/', 'refusal.ts', 'version.ts'],
  'cli/': [''],
}

/** Only these rooms know the HTTP framework. */
const webRooms = ['http/', 'app/', 'cli/']
const webPackage = /^(fastify|@fastify\/|@scalar\/)/
/** The protocol is pure: it loads nothing that it could reach the world with. */
const pureRoom = 'scim/'

/** Reads every `.ts` file below a folder. */
export function readSources(folder: URL): Sources {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  return new Map(files.sort().map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]))
}

/** Everything that breaks the order of the house, in a sentence each. */
export function architectureProblems(sources: Sources): string[] {
  const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]))
  return [
    ...[...sources].flatMap(([path, text]) => [...nameProblems(path), ...exportProblems(path, text)]),
    ...[...imports].flatMap(([path, targets]) => targets.flatMap((target) => importProblems(path, target))),
    ...cycleProblems(imports),
  ]
}

const importForms =
  /\b(?:import|export)\s(?:[^'"`;()]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g

/** What a file imports, by type as well: paths below `src` for its own, the names of packages as they are. */
export function importsOf(path: string, text: string): string[] {
  const found = [...withoutComments(text).matchAll(importForms)].map(([, plain, dynamic]) => plain ?? dynamic ?? '')
  return found.map((target) => (target.startsWith('.') ? join(dirname(path), target) : target))
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

const isOwn = (target: string) => target.endsWith('.ts')
const roomOf = (path: string) => (path.includes('/') ? `${path.split('/')[0]}/` : path)

function importProblems(path: string, target: string): string[] {
  const room = roomOf(path)
  if (!isOwn(target)) return packageProblems(path, room, target)
  const allowed = mayImport[room]
  if (allowed === undefined) return [`${path} is in a place that the house does not have`]
  const isAllowed = roomOf(target) === room || allowed.some((start) => target.startsWith(start))
  return isAllowed ? [] : [`${path} must not import ${target}`]
}

function packageProblems(path: string, room: string, target: string): string[] {
  if (webPackage.test(target) && !webRooms.includes(room)) return [`${path} must not import ${target}`]
  return room === pureRoom ? [`${path} must not import ${target}: the protocol is pure`] : []
}

function nameProblems(path: string): string[] {
  const name = basename(path)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(name)) return [`${path} is not in kebab-case`]
  return /^(utils?|helpers?|misc|common-?utils?)\.ts$/.test(name) ? [`${path} has a name that says nothing`] : []
}

function exportProblems(path: string, text: string): string[] {
  return /^\s*export\s+default\b|\bas\s+default\b/m.test(withoutComments(text)) ? [`${path} has a default export`] : []
}

/** Each cycle once, by the file where it was entered. */
function cycleProblems(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const problems: string[] = []
  const done = new Set<string>()
  const way: string[] = []

  function visit(path: string): void {
    const start = way.indexOf(path)
    if (start >= 0) problems.push(`${[...way.slice(start), path].join(' imports ')}: a cycle`)
    if (start >= 0 || done.has(path)) return
    way.push(path)
    for (const target of imports.get(path) ?? []) visit(target)
    way.pop()
    done.add(path)
  }

  for (const path of imports.keys()) visit(path)
  return problems
}
