import { globSync } from 'node:fs'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'

const tests = new URL('../', import.meta.url)

/**
 * Runs the test files that match the patterns (below `test/`) in this process, one after another. Node.js starts a
 * process per file, which loads the service and compiles it again: that takes longer than most of the files.
 */
export function runTogether(...patterns: readonly string[]): void {
  const paths = globSync(patterns, { cwd: fileURLToPath(tests) })
  for (const path of paths.sort()) describe(path, () => import(new URL(path, tests).href))
}
