import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../scripts/check-regexes.ts', import.meta.url))

/** Runs the script on a module; returns the lines that it reports, and its exit code. */
function check(module: string): { readonly lines: readonly number[]; readonly code: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-regexes-'))
  try {
    const file = join(folder, 'module.ts')
    writeFileSync(file, module)
    const { stderr, status } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
    return { lines: [...stderr.matchAll(/module\.ts:(\d+) /g)].map(([, line]) => Number(line)), code: status }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('expressions that take linear time pass, and those for which a comment gives a reason', () => {
  const module = String.raw`
    use(/^[a-z]+(-[a-z]+)*$/)
    use(/^(?<name>[\w-]{1,100})@[^\s\p{Cc}@]+$/u)
    use(/(?<!\/)\/+$/)
    use('^[a-z]{1,20}$')
    // Linear: the digits contain no slash.
    use(/\/\d+$/)
    // Linear: the pattern is constant text.
    use(new RegExp(text))
    // Not linear: the text is ours.
    use(/\d+$/)`
  assert.deepEqual(check(module), { lines: [], code: 0 })
})

test('expressions that may take longer are reported', () => {
  const module = String.raw`
    use(/\d+x/) // tried at each digit
    use(/^\w*\d*$/) // digits match in two places
    use(/^(a+)+$/) // a repetition is repeated
    use(/^(ab)*(ab)*$/) // the same two characters match in two places
    use(/\d+(?=x)/) // after each digit, an x is expected
    use(/^\s+x/m) // tried at each line
    use(/\p{L}+x/u) // tried at each letter
    use('^(a|a)*$') // both alternatives are the same
    use(new RegExp(text)) // the pattern is not known
    // Linear: only an a begins a match.
    use(/(a+)+b/) // which says nothing about backtracking`
  assert.deepEqual(check(module), { lines: [2, 3, 4, 5, 6, 7, 8, 9, 10, 12], code: 1 })
})
