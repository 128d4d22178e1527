import { startPolis } from '../../tools/polis/polis.ts'
import { answerParent } from './answer-parent.ts'

/** Runs the library of Polis behind HTTP. Requests take turns: the library does not allow them to overlap. */
const { DATABASE_URL: databaseUrl = '', BENCH_POLIS_LIBRARY: library } = process.env
const polis = await startPolis({ databaseUrl, library, pageLimit: 100 })
answerParent(Number(new URL(polis.url).port), async () => polis[Symbol.asyncDispose]())
