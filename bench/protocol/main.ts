import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { itemAt } from '../workload/users.ts'
import { checkAnswers } from './check.ts'
import { comparisons, manyUsers, patchedUser } from './comparisons.ts'
import type { Plan } from './measure.ts'
import { measurePairs } from './measure.ts'
import { report } from './report.ts'
import { userTexts } from './users.ts'

const full: Plan = { rounds: 9, slotMs: 40 }
const quick: Plan = { rounds: 2, slotMs: 6 }

const usage = `node bench/protocol/main.ts [options]

  --quick       everything, briefly: to see that it works, not to compare figures
  --only TEXT   the rows whose what, input or peer holds the text
`

/** Measures the pure protocol against npm packages that do parts of the same; answers that differ end it. */
async function main(isQuick: boolean, only: string): Promise<void> {
  const texts = userTexts(manyUsers)
  const stored = itemAt(texts, patchedUser)
  const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  stderr.write(`${texts.length} users of ${bytes.toFixed(0)} bytes; the patched one has ${stored.length}\n`)
  await checkAnswers(texts, stored)
  const chosen = comparisons(texts).filter(({ what, input, peer, mode }) =>
    `${what} ${input} ${peer} ${mode}`.includes(only),
  )
  const measured = await measurePairs(chosen, isQuick ? quick : full)
  await checkAnswers(texts, stored)
  const rows = measured.map((figures, index) => ({ ...itemAt(chosen, index), ...figures }))
  stdout.write(`\n${report(rows)}`)
  if (isQuick) stdout.write('This was the short version: its figures are not to be compared.\n')
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
})
if (values.help === true) stdout.write(usage)
else await main(values.quick === true, values.only ?? '')
