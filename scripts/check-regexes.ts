/**
 * Checks every regular expression of the service: the time of matching must grow linearly with the text, as most texts
 * come from outside. A text in quotes that begins with `^` and ends with `$` is the pattern of a schema.
 *
 *     node scripts/check-regexes.ts [file…]
 *
 * Comments directly above the line of an expression give reasons for what cannot be proved: `Linear:` says why not too
 * many places are tried as the beginning of a match, and each of them is still checked; `Not linear:` exempts.
 */
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { isSafePattern } from 'redos-detector'

const root = fileURLToPath(new URL('..', import.meta.url))
const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync(['bin/*.js', 'src/**/*.ts'], { cwd: root })

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
const knownRanges: Record<string, string> = {}
for (const file of files) {
  const source = readFileSync(resolve(root, file), 'utf8').replace(/^#!.*/, '')
  for (const { pattern, flags, start } of regexesIn(source)) {
    checked += 1
    const lines = source.slice(0, start).split('\n')
    const [, exempt] = /^\s*\/\/ (Not linear|Linear): /.exec(lines.at(-2) ?? '') ?? []
    if (exempt === 'Not linear' || (exempt === 'Linear' && pattern === '')) continue
    const problem =
      pattern === '' ? 'made from a text: write it as a literal' : problemOf(pattern, flags, exempt === 'Linear')
    if (problem === undefined) continue
    process.exitCode = 1
    console.error(`${file}:${lines.length} /${pattern}/${flags}\n  ${problem}`)
  }
}
console.log(`Checked ${checked} regular expressions in ${files.length} files.`)

/** @param isAtStart whether a match can only begin at the start of the text, or that is assumed */
function problemOf(pattern: string, flags: string, isAtStart: boolean): string | undefined {
  // Only the first slash or space of a run begins a match, so that each run is read once.
  if (/^\(\?<!(\\?.)\)\1\+\$$/.test(pattern)) return undefined
  try {
    const known = knownSyntax(pattern, flags)
    const result = isSafePattern(isAtStart || flags.includes('y') ? `^(?:${known})` : known, {
      maxSteps: 2000,
      caseInsensitive: flags.includes('i'),
      unicode: flags.includes('u'),
      dotAll: flags.includes('s'),
    })
    return result.safe
      ? undefined
      : 'not proved to be linear: the same text matches in too many ways, or has too many beginnings'
  } catch (error) {
    return `cannot be checked: ${String(error)}`
  }
}

/** The pattern in the syntax that the detector knows, which matches in the same ways, or in more. */
function knownSyntax(pattern: string, flags: string): string {
  let isInClass = false
  const known = pattern.replaceAll(/\\p\{(\w+)\}|\(\?<\w+>|\\?./gsu, (token, property?: string) => {
    if (token === '[') isInClass = true
    if (token === ']') isInClass = false
    if (property !== undefined) {
      knownRanges[property] ??= rangesOf(property)
      return isInClass ? knownRanges[property] : `[${knownRanges[property]}]`
    }
    if (token.startsWith('(?<')) return '('
    // The detector knows no lines: a match may begin anywhere.
    return token === '^' && !isInClass && flags.includes('m') ? '' : token
  })
  // The detector takes an assertion at the end for true; if it is false, shorter matches are tried.
  return /[*+}].*(\(\?<?[=!]|\\b)/is.test(known) ? `(?:${known})$` : known
}

/** The code points that have a Unicode property, as ranges of a class. */
function rangesOf(property: string): string {
  const isMember = new RegExp(`\\p{${property}}`, 'u')
  const points = Array.from({ length: 0x110000 }, (_, point) => point)
  const members = points.filter((point) => isMember.test(String.fromCodePoint(point)))
  const firsts = members.filter((point, index) => members[index - 1] !== point - 1)
  const lasts = members.filter((point, index) => members[index + 1] !== point + 1)
  const escaped = (point = 0) => `\\u{${point.toString(16)}}`
  return firsts.map((first, index) => `${escaped(first)}-${escaped(lasts[index])}`).join('')
}
