import { setImmediate as nextTurn } from 'node:timers/promises'
import { openManagedService } from '../management/open.ts'
import { managementOptionNames, parseOptions, readManagement, refuseArguments } from '../management/options.ts'
import type { CommandIo, TextOutput } from '../terminal/io.ts'
import { problemText } from '../terminal/problem-text.ts'

const charactersPerWrite = 65_536

/**
 * `rollcall audit export`, given its options.
 * @returns the exit code: 0 all was written or the reader went away, 1 something failed, 2 wrong arguments, 130 interrupted
 */
export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { arguments: reach, problems } = readManagement(parseOptions(argv, managementOptionNames))
  if (problems.length > 0) return refuseArguments(io, problems, 'audit')
  const reader = watchReader(io.stdout)
  try {
    await using service = await openManagedService(reach, io)
    for await (const text of gathered(service.exportAudit())) {
      if (reader.isGone() || io.signal?.aborted === true) break
      await reader.write(text)
    }
  } catch (error) {
    if (io.signal?.aborted !== true) io.stderr.write(problemText(error))
    return io.signal?.aborted === true ? 130 : 1
  }
  return io.signal?.aborted === true ? 130 : 0
}

/** Lines in larger pieces; in between, the end of the process or of the reader is noticed. */
async function* gathered(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = ''
  for await (const line of lines) {
    text += line
    if (text.length < charactersPerWrite) continue
    yield text
    text = ''
    await nextTurn()
  }
  if (text !== '') yield text
}

/** Writes as fast as the reader reads. One that has had enough, as `head` has, is no error. */
function watchReader(stdout: TextOutput) {
  let gone = false
  let wake = () => {}
  stdout.on?.('error', () => {
    gone = true
    wake()
  })
  stdout.on?.('drain', () => wake())
  return {
    isGone: () => gone,
    async write(text: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (stdout.write(text) === false) await promise
    },
  }
}
