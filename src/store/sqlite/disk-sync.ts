import { close, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** Writes to disk, in another thread, what commits left in the memory of the operating system. */
export interface DiskSync {
  /** Returns immediately. */
  start(): void
  /** Ends after the current write. */
  end(): void
}

/** Syncs the log that SQLite keeps beside the file of a database: SQLite locks other files, and opens this one only once. */
export function createDiskSync(db: DatabaseSync): DiskSync {
  let file: number | undefined
  let isRunning = false
  let isRequested = false
  let hasEnded = false

  function run(): void {
    const log = file ?? openLog()
    if (log === undefined || hasEnded) return
    file = log
    isRunning = true
    isRequested = false
    // A failure is reported by the next commit that waits for the disk.
    fdatasync(log, () => {
      isRunning = false
      if (hasEnded) close(log)
      else if (isRequested) run()
    })
  }

  function openLog(): number | undefined {
    const location = db.location()
    try {
      return location === null ? undefined : openSync(`${location}-wal`, 'r')
    } catch {
      return undefined
    }
  }

  return {
    start() {
      if (isRunning) isRequested = true
      else run()
    },
    end() {
      hasEnded = true
      if (file !== undefined && !isRunning) close(file)
    },
  }
}
