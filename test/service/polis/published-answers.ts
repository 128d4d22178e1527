/** Prints the answers of Polis' published library to the same calls, as JSON. */
import { controllers } from '@boxyhq/saml-jackson'
import type { Jackson } from './same-calls.ts'
import { answersOf, libraryOptions } from './same-calls.ts'

const polis = await controllers({ ...libraryOptions, db: { engine: 'mem' }, noAnalytics: true })
const answers = await answersOf(polis as unknown as Jackson)
await new Promise((resolve) => process.stdout.write(JSON.stringify(answers), resolve))
process.exit(0)
