import process, { stderr, stdout } from 'node:process'
import { createPalette } from '../../../src/cli/terminal/palette.ts'
import { countOf } from '../../../src/cli/terminal/quantity.ts'
import { parseOptions, usage } from './options.ts'
import { reportText } from './report.ts'
import { runChaos } from './run.ts'

/** `npm run chaos`: exits with 1 if a guarantee was broken. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  const length = options.seconds === undefined ? 'about 15 s' : `${options.seconds} s of faults, and a few minutes more`
  stderr.write(`Chaos with the seed ${options.seed}: ${length}.\n`)
  const report = await runChaos(options, (phase) => {
    stderr.write(`The first half is over, with ${countOf(phase.violations.length, 'broken guarantee')}.\n`)
  })
  stdout.write(`\n${reportText(report, createPalette(process))}`)
  if (report.phases.some(({ violations }) => violations.length > 0)) process.exitCode = 1
}

// Removes its processes and folders when it is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

if (process.argv.includes('--help')) stdout.write(usage)
else await main()
