/**
 * Builds the content of the package in `dist`: `src`, `tools` and `bin` as JavaScript with type declarations, the files
 * beside them that are read at run time, the console, and in `cjs` what products load as CommonJS. The relative paths in `dist` are those of the repository.
 *
 *     node scripts/build.ts [--out <folder>] [--quick]
 *
 * `--quick` leaves out the type check, the declarations and the console, for the tests. There are no source maps:
 * TypeScript only removes the types, so the names and comments are those of the source.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compile, compileCommonJs, run } from './compile.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string' }, quick: { type: 'boolean' } } })
const { out = 'dist', quick = false } = values
const folder = resolve(root, out)

/** The console is built by its own script. */
function addConsole(): void {
  const { scripts = {} }: { scripts?: object } = JSON.parse(readFileSync(join(root, 'console/package.json'), 'utf8'))
  if ('build' in scripts) run('npm', ['run', 'build', '--workspace', 'console'])
  const built = join(root, 'console/dist')
  if (existsSync(built)) cpSync(built, join(folder, 'console/dist'), { recursive: true })
}

compile('tsconfig.build.json', folder, quick)
compileCommonJs(join(folder, 'cjs'), join(folder, 'src'))
if (!quick) addConsole()
