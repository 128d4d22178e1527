import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../', import.meta.url))

test('every test file is in one group', () => {
  const grouped = globSync('groups/**/*.ts', { cwd }).flatMap((group) => {
    const text = readFileSync(new URL(`../${group}`, import.meta.url), 'utf8')
    return globSync(
      [...text.matchAll(/'([^']+\.test\.ts)'/g)].map(([, pattern = '']) => pattern),
      { cwd },
    )
  })
  assert.deepEqual(
    grouped.sort(),
    globSync('**/*.test.ts', { cwd }).sort(),
    'each test file belongs to one group of test/groups',
  )
})
