/**
 * Builds what the package contains into `dist`: `src`, `tools` and `bin` as JavaScript with type declarations, the files beside
 * them that are read at run time, and the console. The relative paths in `dist` are those of the repository.
 *
 *     node scripts/build.ts [--out <folder>] [--quick]
 *
 * `--quick` leaves out the type check, the declarations and the console, for the tests. There are no source maps: TypeScript only
 * removes the types, so the names and comments are those of the source.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string' }, quick: { type: 'boolean' } } })
const out = resolve(root, values.out ?? 'dist')

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}

function compile(): void {
  const quick = values.quick === true ? ['--noCheck', '--declaration', 'false'] : []
  rmSync(out, { recursive: true, force: true })
  run(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', '--outDir', out, ...quick])
  chmodSync(join(out, 'bin/rollcall.js'), 0o755)
}

/** Copies what is not TypeScript, such as migrations. */
function copyOtherFiles(): void {
  for (const folder of ['src', 'tools']) {
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, path)
      if (/\.\w+$/.test(path) && !path.endsWith('.ts')) cpSync(join(root, file), join(out, file))
    }
  }
}

/** The console is built by its own script. */
function addConsole(): void {
  const { scripts = {} }: { scripts?: object } = JSON.parse(readFileSync(join(root, 'console/package.json'), 'utf8'))
  if ('build' in scripts) run('npm', ['run', 'build', '--workspace', 'console'])
  const built = join(root, 'console/dist')
  if (existsSync(built)) cpSync(built, join(out, 'console/dist'), { recursive: true })
}

compile()
copyOtherFiles()
if (values.quick !== true) addConsole()
