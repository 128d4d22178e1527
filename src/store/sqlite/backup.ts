import { open, rm } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { backup } from 'node:sqlite'
import { StoreUnavailable } from '../errors.ts'

/** Pages of 4 KiB that one step copies; statements wait while it does. */
const pagesPerStep = 64

/** How often what was copied is written to disk, so that the last step, which waits for that, is short. */
const stepsPerSync = 8

/** Copies an open database into files while it is used. */
export interface FileBackups {
  /**
   * Copies the database as it is when the copy is complete, with everything that was committed before the call. The file can
   * be read by its owner only; an existing one is replaced.
   */
  backup(file: string): Promise<void>
  /** Ends the copies that are being made. */
  stop(): Promise<void>
}

export function createFileBackups(db: DatabaseSync): FileBackups {
  const running = new Set<Promise<void>>()
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
    try {
      await backup(db, file, { rate: pagesPerStep, progress })
      await copied.sync()
    } catch (error) {
      await rm(file, { force: true })
      throw error
    } finally {
      await copied.close()
    }
  }

  return {
    async backup(file) {
      if (stopped) throw new StoreUnavailable('The database was closed.')
      const copying = copy(file)
      running.add(copying)
      await copying.finally(() => running.delete(copying))
    },
    async stop() {
      stopped = true
      await Promise.allSettled(running)
    },
  }
}
