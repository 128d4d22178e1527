/**
 * Records what Polis' library stores and answers, for the tests of imports and of the controllers. It installs the library
 * from npm's registry in a temporary folder.
 *
 *     node test/service/import/recorded/write.ts
 */
import { installPolisLibrary } from '../support/live-polis.ts'
import { recordAnswers, recordLibrary, writeAnswers, writeRecording } from '../support/record.ts'

await using library = await installPolisLibrary()
for (const name of ['plain', 'encrypted'] as const) await writeRecording(name, await recordLibrary(library.url, name))
await writeAnswers(await recordAnswers(library.url))
