import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { engineNames } from '../engines/engine.ts'
import { apiAuthorization } from '../workload/api.ts'
import type { Peer } from './peer.ts'

const here = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Checks a commit out and builds its benchmark, whose service is then measured, in a temporary folder that is removed when the peer is
 * disposed of.
 *
 * @throws Error when there is no such commit, or it cannot be built
 */
export async function openCommit(commit: string): Promise<Peer & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-commit-'))
  const root = join(folder, 'checkout')
  git('worktree', 'add', '--detach', root, commit)
  const remove = () => {
    git('worktree', 'remove', '--force', root)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  addDependencies(root)
  return {
    ...{ name: commit, kind: 'earlier version', engines: engineNames, authorization: apiAuthorization },
    ...{ module: { file: build(root) }, ...(await memoryOptions(root)), statuses: {} },
    async [Symbol.asyncDispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: here, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Links the packages of this checkout if the commit needs the same versions, and installs its own otherwise. */
function addDependencies(root: string): void {
  const needed: Readonly<Record<string, string>> = packageIn(root).dependencies ?? {}
  const present = join(here, 'node_modules')
  const isSame = Object.entries(needed).every(
    ([name, version]) => existsSync(join(present, name)) && packageIn(join(present, name)).version === version,
  )
  if (!isSame) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root, stdio: 'ignore' })
    return
  }
  // The folder itself is not linked, because the build is in it.
  const own = join(root, 'node_modules')
  mkdirSync(own)
  for (const name of readdirSync(present)) if (name !== '.cache') symlinkSync(join(present, name), join(own, name))
}

function packageIn(folder: string): { readonly version?: string; readonly dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Builds the checkout with its own benchmark; returns the module that runs its service. */
function build(root: string): string {
  const module = pathToFileURL(join(root, 'bench/servers/built.ts')).href
  const script = `import { builtFile } from '${module}'; builtFile('bench/servers/service.js')`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(root, 'node_modules/.cache/rollcall-bench/bench/servers/service.js')
}

/**
 * The options of Node.js and of the allocator of a version that replaces its process by one with them: the service of such a version
 * cannot be measured in a process without.
 */
async function memoryOptions(root: string): Promise<Pick<Peer, 'nodeOptions' | 'env'>> {
  const file = join(root, 'src/cli/memory-options.ts')
  if (!existsSync(file)) return { nodeOptions: [], env: {} }
  const { nodeOptions, allocatorVariables } = await import(pathToFileURL(file).href)
  return { nodeOptions, env: allocatorVariables }
}
