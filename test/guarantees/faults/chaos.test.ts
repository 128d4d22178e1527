import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { createPalette } from '../../../src/cli/terminal/palette.ts'
import { newSeed } from '../chaos/options.ts'
import { reportText } from '../chaos/report.ts'
import { runChaos } from '../chaos/run.ts'

// The run stops and starts its own PostgreSQL, which is not possible with an external server.
const skip = process.env['TEST_DATABASE_URL'] !== undefined

test('every event is delivered in order, despite hostile tenants, while processes are killed, suspended or cut off, the database restarts and endpoints fail', {
  skip,
}, async (t) => {
  const report = await runChaos({ seconds: undefined, seed: newSeed() })
  const text = reportText(report, createPalette(process))
  t.diagnostic(text)
  const violations = report.phases.flatMap((phase) => phase.violations)
  assert.deepEqual(violations, [], text)
})
