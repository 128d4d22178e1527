import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { answerParent } from './answer-parent.ts'
import { freePort, isReady } from './ready.ts'

/** The service by its own command, `rollcall serve`, so that it is measured as it is run. */
const port = await freePort()
process.env['PORT'] = String(port)
process.argv = [process.execPath, fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url)), 'serve']
const stopped = import('../../src/cli/main.ts')
stopped.catch(() => process.exit(1))
while (!(await isReady(port))) await pause(10)
answerParent(port, async () => {
  process.kill(process.pid, 'SIGTERM')
  await stopped
})
