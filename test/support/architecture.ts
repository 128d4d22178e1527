import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Source files by their path from the repository root, with their text. */
export type Sources = ReadonlyMap<string, string>

const base = ['src/concurrency/', 'src/scim/', 'src/inputs/', 'src/ids/']
const domain = [...base, 'src/directory/', 'src/provisioning/']
const features = [
  'src/reads/',
  'src/mapping/',
  'src/adoption/',
  'src/delivery/',
  'src/google/',
  'src/admin/',
  'src/setup/',
  'src/oauth/',
  'src/store/',
  'src/service-provider/',
]
const above = [
  'src/diagnostics/',
  'src/privacy/',
  'src/service-parts.ts',
  'src/error-response.ts',
  'src/version.ts',
  'src/tracing/',
  'src/node-http.ts',
]

const belowTools = [
  'src/node-version.ts',
  'src/app/',
  'src/cli/terminal/',
  'src/scim/',
  'src/inputs/',
  'src/directory/',
  'src/webhooks/',
  'src/client/error.ts',
  'src/client/testing.ts',
]

const inSteps = [
  ...[...base, 'src/directory/', 'src/reads/'],
  ...['src/delivery/run-queue.ts', 'src/delivery/step-runner.ts', 'src/delivery/observer.ts'],
  'src/delivery/event-store.ts',
]

/**
 * The other layers that each layer may import, as path prefixes or patterns. Files of one layer may import each other.
 * A file that belongs to no layer is a problem.
 */
const layers: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'src/concurrency/': [],
  'src/scim/': [],
  'src/inputs/': [],
  'src/ids/': [],
  'src/directory/': base,
  // The definition of a digest is that of the client.
  'src/reads/': [...base, 'src/directory/', 'src/client/user-digest.ts'],
  'src/mapping/': inSteps,
  'src/adoption/': inSteps,
  'src/provisioning/': [...base, 'src/directory/'],
  'src/service-provider/': [...domain, 'src/oauth/access-token.ts', 'src/error-response.ts'],
  'src/delivery/': [...domain, 'src/reads/', 'src/webhooks/event.ts', 'src/tracing/'],
  'src/google/': [...domain, 'src/reads/'],
  'src/admin/': [...base, 'src/directory/', 'src/reads/'],
  'src/oauth/': [...base, 'src/directory/', 'src/delivery/endpoint/', 'src/delivery/observer.ts', 'src/admin/'],
  'src/setup/': [...domain, 'src/reads/', 'src/mapping/', 'src/delivery/', 'src/google/', 'src/admin/', 'src/oauth/'],
  // The owners declare the stored data, in files called …-store.ts or in resync/. Mappings are evaluated in the commit, which also decides which holds end.
  'src/store/': [
    ...[
      ...base,
      'src/directory/',
      'src/mapping/',
      'src/adoption/match.ts',
      'src/delivery/resync/',
      'src/delivery/hold/reasons.ts',
      'src/setup/setup-link.ts',
      'src/oauth/oauth-client.ts',
    ],
    /^src\/(adoption|delivery|google|admin|setup|oauth|polis|diagnostics|privacy)\/([a-z-]+\/)*[a-z-]+-store\.ts$/,
  ],
  'src/diagnostics/': [...domain, ...features, 'src/webhooks/event.ts'],
  'src/privacy/': [...domain, ...features, /^src\/diagnostics\/requests\/request-log-store\.ts$/],
  // The entries that products load, which use nothing of the service.
  'src/client/': [],
  'src/webhooks/': ['src/client/schema.ts', 'src/client/error.ts', 'src/client/sha256.ts'],
  'src/version.ts': [],
  'src/node-version.ts': [],
  'src/tracing/': ['src/directory/event.ts'],
  'src/node-http.ts': [],
  'src/error-response.ts': ['src/scim/', 'src/inputs/', 'src/directory/', 'src/store/errors.ts'],
  'src/service-parts.ts': [...domain, ...features, 'src/diagnostics/', 'src/privacy/'],
  'src/library/': [...domain, ...features, ...above, 'src/webhooks/event.ts', 'src/client/error.ts'],
  // Nothing below the composition root knows Polis, except the store, which implements what an import stores.
  'src/polis/import/command/': ['src/'],
  'src/polis/import/source': ['src/concurrency/', 'src/scim/'],
  'src/polis/import/': [...domain, 'src/delivery/', 'src/google/', 'src/admin/', 'src/setup/'],
  'src/polis/compat/http/': [...domain, ...features, ...above, 'src/http/', 'src/polis/compat/'],
  'src/polis/compat/': [...domain, ...features, ...above],
  'src/polis/controllers/open.ts': [...domain, ...features, 'src/library/', 'src/app/', 'src/polis/controllers/'],
  'src/polis/controllers/': [
    ...domain,
    ...features,
    ...above,
    'src/library/',
    'src/webhooks/event.ts',
    'src/polis/compat/',
  ],
  'src/polis/index.ts': ['src/node-version.ts', 'src/polis/controllers/'],
  'src/http/': [...domain, ...features, ...above],
  'src/app/': [...domain, ...features, ...above, 'src/http/', 'src/library/', 'src/polis/compat/'],
  'src/index.ts': [
    'src/node-version.ts',
    'src/app/',
    'src/library/',
    'src/directory/',
    'src/delivery/',
    'src/diagnostics/',
    'src/webhooks/event.ts',
    'src/client/error.ts',
  ],
  'src/cli/': ['src/'],
  'tools/polis/': [...belowTools, 'tools/', 'src/polis/'],
  'tools/demo/polis/': [...belowTools, 'tools/', 'src/polis/'],
  'tools/': belowTools,
}

/** The files that may import `src/polis/`: nothing else knows the other service. */
const importersOfPolis = [
  ...['src/polis/', 'src/app/', 'src/cli/run.ts', 'tools/polis/', 'tools/demo/polis/'],
  /^src\/store\/(store|([a-z]+\/)?imports)\.ts$/,
]

/** The command line loads a tool only when its command is run. */
const lazyImports: Readonly<Record<string, RegExp>> = { 'src/cli/': /^tools\/[a-z-]+\/command\.ts$/ }

/** Only these layers may load the HTTP framework. */
const webLayers = ['src/http/', 'src/polis/compat/http/', 'src/app/', 'src/cli/']
const webPackage = /^(fastify|@fastify\/|@scalar\/)/
/**
 * Layers that may import only these packages. The protocol is pure. The entries that products load run in every runtime
 * that has `fetch`, without Node.js.
 */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  'src/scim/': [],
  'src/client/': ['openapi-fetch'],
  'src/webhooks/': ['standardwebhooks'],
}

/** Reads every `.ts` file below `src` and `tools`. */
export function readSources(root: URL): Sources {
  const files = ['src', 'tools'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const sources = files.filter((path) => path.endsWith('.ts')).sort()
  return new Map(sources.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}

/** Every violation of the layers and of the naming rules, in a sentence each. */
export function architectureProblems(sources: Sources): string[] {
  const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]))
  return [
    ...[...sources].flatMap(([path, text]) => [...nameProblems(path), ...exportProblems(path, text)]),
    ...[...imports].flatMap(([path, targets]) => targets.flatMap((target) => importProblems(path, target))),
    ...cycleProblems(imports),
  ]
}

/** An import of a file (by its path from the root) or of a package. */
export interface Import {
  readonly target: string
  /** `import(…)`, of a value or of a type. */
  readonly isDynamic: boolean
}

const importForms =
  /\b(?:import|export)\s(?:[^'"`;()]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g

/** The imports of a file, including type imports. */
export function importsOf(path: string, text: string): Import[] {
  return [...withoutComments(text).matchAll(importForms)].map(([, plain, dynamic]) => {
    const target = plain ?? dynamic ?? ''
    return { target: target.startsWith('.') ? join(dirname(path), target) : target, isDynamic: plain === undefined }
  })
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

const isOwnFile = (target: string) => target.endsWith('.ts')
const layerOf = (path: string) => Object.keys(layers).find((layer) => path.startsWith(layer))
const matches = (path: string) => (rule: string | RegExp) =>
  typeof rule === 'string' ? path.startsWith(rule) : rule.test(path)

function importProblems(path: string, { target, isDynamic }: Import): string[] {
  const layer = layerOf(path)
  if (layer === undefined) return [`${path} belongs to no layer`]
  if (!isOwnFile(target)) return packageProblems(path, layer, target)
  if (target.startsWith('src/polis/') && !importersOfPolis.some(matches(path)))
    return [`${path} must not import ${target}`]
  const isAllowed =
    target.startsWith(layer) ||
    layers[layer]?.some(matches(target)) === true ||
    (isDynamic && lazyImports[layer]?.test(target) === true)
  return isAllowed ? [] : [`${path} must not import ${target}`]
}

function packageProblems(path: string, layer: string, target: string): string[] {
  if (webPackage.test(target) && !webLayers.includes(layer)) return [`${path} must not import ${target}`]
  const allowed = packagesOf[layer]
  return allowed === undefined || allowed.includes(target)
    ? []
    : [`${path} must not import ${target}: ${layer} is portable`]
}

function nameProblems(path: string): string[] {
  const name = basename(path)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(name)) return [`${path} is not in kebab-case`]
  return /^(utils?|helpers?|misc|common-?utils?)\.ts$/.test(name) ? [`${path} has a name that says nothing`] : []
}

function exportProblems(path: string, text: string): string[] {
  return /^\s*export\s+default\b|\bas\s+default\b/m.test(withoutComments(text)) ? [`${path} has a default export`] : []
}

/** Each cycle once, starting with the file where it was found. */
function cycleProblems(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const problems: string[] = []
  const done = new Set<string>()
  const chain: string[] = []

  function visit(path: string): void {
    const start = chain.indexOf(path)
    if (start >= 0) problems.push(`${[...chain.slice(start), path].join(' imports ')}: a cycle`)
    if (start >= 0 || done.has(path)) return
    chain.push(path)
    for (const { target } of imports.get(path) ?? []) visit(target)
    chain.pop()
    done.add(path)
  }

  for (const path of imports.keys()) visit(path)
  return problems
}
