import { setImmediate as nextTurn } from 'node:timers/promises'
import { openManagedService } from '../management/open.ts'
import { managementOptionNames, readManagement } from '../management/options.ts'
import { errorText } from '../terminal/error-text.ts'
import type { CommandIo, TextOutput } from '../terminal/io.ts'
import { parseOptions, rejectArguments } from '../terminal/options.ts'

const charactersPerWrite = 65_536

/**
 * Runs `rollcall audit export`.
 * @returns the exit code: 0 complete or the reader closed its end, 1 failed, 2 wrong arguments, 130 interrupted
 */
export async function exportCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { arguments: reach, problems } = readManagement(parseOptions(argv, managementOptionNames))
  if (problems.length > 0) return rejectArguments(io, problems, 'audit')
  const reader = watchReader(io.stdout)
  try {
    await using service = await openManagedService(reach, io)
    for await (const text of inChunks(service.exportAudit())) {
      if (reader.isGone() || io.signal?.aborted === true) break
      await reader.write(text)
    }
  } catch (error) {
    if (io.signal?.aborted !== true) io.stderr.write(errorText(error))
    return io.signal?.aborted === true ? 130 : 1
  }
  return io.signal?.aborted === true ? 130 : 0
}

/**
 * Joins lines into larger chunks and yields to the event loop after each, so that signals and a closed reader are
 * noticed.
 */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
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

/** Writes as fast as the reader reads. A reader that closes its end, as `head` does, is not an error. */
function watchReader(stdout: TextOutput) {
  let isGone = false
  let wake = () => {}
  stdout.on?.('error', () => {
    isGone = true
    wake()
  })
  stdout.on?.('drain', () => wake())
  return {
    isGone: () => isGone,
    async write(text: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (stdout.write(text) === false) await promise
    },
  }
}
