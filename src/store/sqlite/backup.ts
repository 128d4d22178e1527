import { open, rm } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { backup } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { writeDurably } from '../durable-files.ts'
import { StoreUnavailable } from '../errors.ts'

/** Pages of 4 KiB that one step copies; statements wait while it does. */
const pagesPerStep = 64

/** The number of steps after which the copied pages are written to disk, so that the last step, which waits for that, is short. */
const stepsPerSync = 8

/** The time after which a copy that could not begin is tried again, in milliseconds. */
const beginAgainMs = 10

/**
 * Returns whether the first step of a copy found the database in a transaction. Node.js repeats such a step, but for the first, after which
 * no pages remain: it then reports an error with the code of success.
 */
function isLockedAtFirst(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 0
}

/** Copies an open database into files while it is used. */
export interface FileBackups {
  /**
   * Copies the database as it is when the copy is complete, with everything that was committed before the call. The file can
   * be read by its owner only; an existing one is replaced by the complete copy. Until then, that has `.part` at the end of
   * its name. One copy is made at a time.
   */
  backup(file: string): Promise<void>
  /** Ends the copies that are being made. */
  stop(): Promise<void>
}

export function createFileBackups(db: DatabaseSync): FileBackups {
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false

  async function copy(file: string): Promise<void> {
    await rm(file, { force: true })
    const copied = await open(file, 'wx', 0o600)
    let steps = 0
    let isSyncing = false
    const onSynced = () => {
      isSyncing = false
    }
    function progress(): void {
      if (stopped) throw new StoreUnavailable('The database was closed.')
      steps += 1
      if (isSyncing || steps % stepsPerSync !== 0) return
      isSyncing = true
      void copied.datasync().then(onSynced, onSynced)
    }
    const attempt = () => {
      if (stopped) throw new StoreUnavailable('The database was closed.')
      return backup(db, file, { rate: pagesPerStep, progress }).then(
        () => true,
        (error: unknown) => {
          if (isLockedAtFirst(error)) return false
          throw error
        },
      )
    }
    try {
      while (!(await attempt())) await pause(beginAgainMs)
    } finally {
      await copied.close()
    }
  }

  async function copyNext(file: string): Promise<void> {
    if (stopped) throw new StoreUnavailable('The database was closed.')
    const part = `${file}.part`
    await writeDurably(file, part, () => copy(part))
  }

  return {
    backup(file) {
      const copied = last.then(() => copyNext(file))
      last = copied.catch(() => {})
      return copied
    },
    async stop() {
      stopped = true
      await last
    },
  }
}
