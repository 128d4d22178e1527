import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inSeconds } from '../report/row.ts'
import { freePort, isReady } from '../servers/ready.ts'
import { startCommand } from '../servers/start-command.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const pollMs = 5
const patienceMs = 30_000

/** From the start of `rollcall serve` on the database with the large directory to the first 200 of /readyz. */
export async function measureStart({ engine, scale, large, say }: Bench): Promise<Row[]> {
  const { env, directory } = await large()
  say(`start with ${directory.users} users`)
  const seconds: number[] = []
  for (const _ of times(scale.starts, () => undefined)) seconds.push(await startOnce(env))
  const verdict = atMost(budget.startSeconds, median(seconds), inSeconds)
  return [{ engine: engine.name, what: `start to ready, ${directory.users} users`, verdict }]
}

async function startOnce(env: Readonly<Record<string, string>>): Promise<number> {
  const { options, file } = startCommand()
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...options, file, 'serve'], {
    cwd: tmpdir(),
    env: { ...process.env, HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`rollcall serve ended with ${child.exitCode}`)
      if (performance.now() - startedAt > patienceMs) throw new Error('rollcall serve does not become ready')
      await pause(pollMs)
    }
    return (performance.now() - startedAt) / 1000
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
