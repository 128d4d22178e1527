import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { itemAt } from '../workload/users.ts'
import { checkResults } from './check.ts'
import { comparisons, manyUsers, patchedUser } from './comparisons.ts'
import type { Plan } from './measure.ts'
import { measurePairs } from './measure.ts'
import { report } from './report.ts'
import { userTexts } from './users.ts'

const full: Plan = { rounds: 9, slotMs: 40 }
const quick: Plan = { rounds: 2, slotMs: 6 }

const usage = `node bench/protocol/main.ts [options]

  --quick       everything, briefly: for a trial run, not for comparing figures
  --only TEXT   the rows whose what, input or peer contains the text
`

/** Compares the protocol code with npm packages that do parts of the same; different results end the run. */
async function main(isQuick: boolean, only: string): Promise<void> {
  const texts = userTexts(manyUsers)
  const stored = itemAt(texts, patchedUser)
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  stderr.write(`${texts.length} users of ${bytes.toFixed(0)} bytes; the patched one has ${stored.length}\n`)
  await checkResults(texts, stored)
  const chosen = comparisons(texts).filter(({ what, input, peer, mode }) =>
    `${what} ${input} ${peer} ${mode}`.includes(only),
  )
  const measured = await measurePairs(chosen, isQuick ? quick : full)
  await checkResults(texts, stored)
  const rows = measured.map((figures, index) => ({ ...itemAt(chosen, index), ...figures }))
  stdout.write(`\n${report(rows)}`)
  if (isQuick) stdout.write('This was a quick run: do not compare its figures.\n')
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
})
if (values.help === true) stdout.write(usage)
else await main(values.quick === true, values.only ?? '')
