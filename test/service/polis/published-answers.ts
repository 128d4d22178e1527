/** Prints the answers of Polis' published library, whose module is the argument, to the same calls, as JSON. */
import type { Jackson } from './same-calls.ts'
import { answersOf, libraryOptions } from './same-calls.ts'

const library: { controllers(options: object): Promise<Jackson> } = await import(process.argv[2] ?? '')
const polis = await library.controllers({ ...libraryOptions, db: { engine: 'mem' }, noAnalytics: true })
const answers = await answersOf(polis)
await new Promise((resolve) => process.stdout.write(JSON.stringify(answers), resolve))
process.exit(0)
