import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { answerParent } from './answer-parent.ts'
import { freePort, isReady } from './ready.ts'
import { watchRowsWritten } from './rows-written.ts'

/** Runs the service with its own command, `rollcall serve`, so that the measured service is the real one. */
const commandFile = fileURLToPath(new URL('../../bin/rollcall.js', import.meta.url))
const port = await freePort()
const rowsWritten = watchRowsWritten()
process.env['PORT'] = String(port)
// One tenant sends everything.
process.env['SCIM_RATE_LIMIT'] ??= '0'
process.argv = [process.execPath, commandFile, 'serve']
const stopped: Promise<unknown> = import(commandFile)
stopped.catch(() => process.exit(1))
while (!(await isReady(port))) await pause(10)
answerParent(
  port,
  async () => {
    process.kill(process.pid, 'SIGINT')
    await stopped
  },
  rowsWritten,
)
