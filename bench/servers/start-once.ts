import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { builtFile } from './built.ts'
import { freePort, isReady } from './ready.ts'

const pollMs = 5
const patienceMs = 30_000

/** Measures the seconds from starting `rollcall serve` to the first 200 of /readyz, and stops it. */
export async function startOnce(env: Readonly<Record<string, string>>): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [builtFile('bin/rollcall.js'), 'serve'], {
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
    child.kill('SIGINT')
    await ended
  }
}
