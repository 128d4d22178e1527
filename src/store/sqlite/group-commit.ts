import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../errors.ts'

/** Runs writes that share commits. */
export interface GroupCommit {
  /**
   * Queues a write; resolves with its answer once that is on disk. The operation may run twice. When it refuses, by its
   * answer, it has changed nothing; when it throws, what it had done is rolled back, and the other writes of the commit
   * are not concerned.
   */
  write<T>(operation: () => T): Promise<T>
  /** Commits what is queued, at once. */
  flush(): void
}

interface Write {
  readonly operation: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Tells the caller of a write how it ended. */
type Settle = () => void

/**
 * Writes that are queued in the same turn of the event loop are committed together: the commit, which waits for the disk,
 * is what costs. A savepoint around each would cost a fifth on top, as every page is copied for it; so there is none until
 * a write throws. Then all are rolled back and run again, each in its own.
 */
export function createGroupCommit(db: DatabaseSync): GroupCommit {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  let queue: Write[] = []

  function runTogether(writes: readonly Write[]): Settle[] {
    return inTransaction(() =>
      writes.map(({ operation, resolve }) => {
        const answer = operation()
        return () => resolve(answer as never)
      }),
    )
  }

  function runApart(writes: readonly Write[]): Settle[] {
    return inTransaction(() => writes.map((write) => runInSavepoint(db, write)))
  }

  function inTransaction(run: () => Settle[]): Settle[] {
    begin.run()
    try {
      const settles = run()
      commit.run()
      return settles
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('rollback')
      throw error
    }
  }

  function flush(): void {
    if (queue.length === 0) return
    const writes = queue
    queue = []
    for (const settle of settled(writes)) settle()
  }

  function settled(writes: readonly Write[]): Settle[] {
    try {
      return runTogether(writes)
    } catch {
      return settledApart(writes)
    }
  }

  function settledApart(writes: readonly Write[]): Settle[] {
    try {
      return runApart(writes)
    } catch (error) {
      const reason = db.isOpen ? error : new StoreUnavailable('The database was closed.', { cause: error })
      return writes.map(
        ({ reject }) =>
          () =>
            reject(reason),
      )
    }
  }

  return {
    write<T>(operation: () => T) {
      return new Promise<T>((resolve, reject) => {
        if (queue.push({ operation, resolve, reject }) === 1) setImmediate(flush)
      })
    },
    flush,
  }
}

function runInSavepoint(db: DatabaseSync, { operation, resolve, reject }: Write): Settle {
  db.exec('savepoint one_write')
  try {
    const answer = operation()
    db.exec('release one_write')
    return () => resolve(answer as never)
  } catch (error) {
    db.exec('rollback to one_write; release one_write')
    return () => reject(error)
  }
}
