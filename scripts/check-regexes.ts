/**
 * Checks every regular expression of the service: the time of matching must grow linearly with the text, as most texts
 * come from outside. A text in quotes that begins with `^` and ends with `$` is the pattern of a schema.
 *
 *     node scripts/check-regexes.ts
 *
 * An expression is exempt when a comment directly above its line begins with `Linear:` or `Not linear:` and gives the
 * reason.
 */
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { check } from 'recheck'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync(['bin/*.js', 'src/**/*.ts'], { cwd: root })

interface Regex {
  readonly pattern: string
  readonly flags: string
  /** The offset in the file. */
  readonly start: number
}

/** The properties of a syntax tree's nodes that are used here. */
interface AnyNode {
  readonly type?: string
  readonly start?: number
  readonly regex?: Omit<Regex, 'start'>
  readonly value?: unknown
  readonly callee?: { readonly name?: string }
}

/** The regular expressions of a module. Those that are made from a text cannot be checked and are not allowed. */
function regexesIn(source: string): Regex[] {
  const found: Regex[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start = 0, regex, value, callee } = node as AnyNode
    if (type === 'Literal' && regex !== undefined) found.push({ ...regex, start })
    if (typeof value === 'string' && value.startsWith('^') && value.endsWith('$'))
      found.push({ pattern: value, flags: 'u', start })
    if (type === 'NewExpression' && callee?.name === 'RegExp') found.push({ pattern: '', flags: '', start })
    for (const child of Object.values(node)) visit(child)
  }
  // Types are replaced by spaces: positions stay the same.
  visit(parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' }))
  return found
}

let checked = 0
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8').replace(/^#!.*/, '')
  for (const { pattern, flags, start } of regexesIn(source)) {
    checked += 1
    const lines = source.slice(0, start).split('\n')
    if (/^\s*\/\/ (Not linear|Linear): /.test(lines.at(-2) ?? '')) continue
    const problem = pattern === '' ? 'made from a text: write it as a literal' : await problemOf(pattern, flags)
    if (problem === undefined) continue
    process.exitCode = 1
    console.error(`${file}:${lines.length} /${pattern}/${flags}\n  ${problem}`)
  }
}
console.log(`Checked ${checked} regular expressions in ${files.length} files.`)

async function problemOf(pattern: string, flags: string): Promise<string | undefined> {
  const { status, ...result } = await check(pattern, flags, { timeout: 20_000 })
  if (status === 'safe') return undefined
  if ('attack' in result) return `${result.complexity.summary} for ${result.attack.pattern}`
  return 'whether it is linear is not known'
}
