import type { DeliveryObserver } from './observer.ts'
import type { Next } from './turns.ts'

const pageSize = 200

/** What came of sending what was due (design §7.3). */
export interface ProcessReport {
  /** How many directories something was sent for. */
  readonly directories: number
  /** Events that were taken. */
  readonly delivered: number
  /** Attempts in vain. */
  readonly failed: number
  /** Events that wait still. */
  readonly remaining: number
}

export interface ProcessingOptions {
  /** The next directories that have something to send, by id. */
  readonly read: (after: string, limit: number) => Promise<string[]>
  /** Gives a directory a turn. */
  readonly run: (directoryId: string) => Promise<Next>
  readonly remaining: () => Promise<number>
}

/** Runs over everything that is due, one at a time. */
export interface Processing {
  /** Undefined while a run is under way, and then nothing is done. Rejects when the store fails. */
  begin(): Promise<ProcessReport | undefined>
  /** The observer, with what a run needs to know of. */
  watch(observer: DeliveryObserver): DeliveryObserver
}

export function createProcessing({ read, run, remaining }: ProcessingOptions): Processing {
  let isRunning = false
  let [delivered, failed] = [0, 0]

  /** Gives turns until the directory has nothing left, or waits after a failure. */
  async function exhaust(directoryId: string): Promise<void> {
    let next = await run(directoryId)
    while (next === 'again') next = await run(directoryId)
  }

  async function runThrough(): Promise<number> {
    let directories = 0
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: string[] = await read(after, pageSize)
      await Promise.all(page.map(exhaust))
      directories += page.length
      after = page.length < pageSize ? undefined : page.at(-1)
    }
    return directories
  }

  return {
    async begin() {
      if (isRunning) return undefined
      isRunning = true
      const before = { delivered, failed }
      try {
        const directories = await runThrough()
        const done = { delivered: delivered - before.delivered, failed: failed - before.failed }
        return { directories, ...done, remaining: await remaining() }
      } finally {
        isRunning = false
      }
    },
    watch: (observer) => ({
      ...observer,
      delivered(latencyMs, ageMs) {
        delivered += 1
        observer.delivered(latencyMs, ageMs)
      },
      failed(reason) {
        failed += 1
        observer.failed(reason)
      },
    }),
  }
}
