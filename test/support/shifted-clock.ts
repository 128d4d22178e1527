import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The setting that shifts `Date` in a process of the service, as if the clock of its machine were wrong. */
export function shiftedClock(aheadMs: number): { readonly NODE_OPTIONS: string } {
  return preload(`const aheadMs = ${aheadMs}`)
}

/** The clock of a process of the service, which a test can set. */
export interface SteppedClock extends AsyncDisposable {
  /** The settings with which the process has to start. */
  readonly env: { readonly NODE_OPTIONS: string }
  /** Sets the clock of the process ahead of the right time by so much, or back, unless the process has ended. */
  step(pid: number, aheadMs: number): void
}

/** Creates a clock for one process, which reads the difference from a file when it gets a SIGUSR2. */
export async function createSteppedClock(): Promise<SteppedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-clock-'))
  const file = join(folder, 'ahead-ms')
  let isOver = false
  return {
    env: preload(`
      import { readFileSync } from 'node:fs'
      let aheadMs = 0
      process.on('SIGUSR2', () => {
        aheadMs = Number(readFileSync(${JSON.stringify(file)}, 'utf8'))
      })`),
    step(pid, aheadMs) {
      if (isOver) return
      writeFileSync(file, String(aheadMs))
      try {
        process.kill(pid, 'SIGUSR2')
      } catch {
        // The process was killed.
      }
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Loads a module before the service that shifts `Date` by its variable `aheadMs`. */
function preload(source: string): { readonly NODE_OPTIONS: string } {
  const module = `${source}
    const RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        super(...(given.length === 0 ? [RealDate.now() + aheadMs] : given))
      }
      static now() {
        return RealDate.now() + aheadMs
      }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` }
}
