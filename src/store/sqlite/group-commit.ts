import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../unavailable.ts'

/** Runs writes that share commits. */
export interface GroupCommit {
  /**
   * Queues a write; resolves with its answer once that is on disk. An answer that is a text is a refusal: what the write
   * had done is rolled back, and so it is when it throws; the other writes of the commit are not concerned.
   */
  write<T>(operation: () => T): Promise<T>
  /** Commits what is queued, at once. */
  flush(): void
}

function closed(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The database was closed.', { cause })
}

interface Write {
  readonly operation: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes that are queued in the same turn of the event loop are committed together, each in its own savepoint: the
 * commit, which waits for the disk, is what costs.
 */
export function createGroupCommit(db: DatabaseSync): GroupCommit {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const savepoint = db.prepare('savepoint one_write')
  const release = db.prepare('release one_write')
  let queue: Write[] = []

  function run({ operation, resolve, reject }: Write): () => void {
    savepoint.run()
    try {
      const answer = operation()
      if (typeof answer === 'string') db.exec('rollback to one_write')
      release.run()
      return () => resolve(answer as never)
    } catch (error) {
      db.exec('rollback to one_write; release one_write')
      return () => reject(error)
    }
  }

  function flush(): void {
    if (queue.length === 0) return
    const writes = queue
    queue = []
    try {
      begin.run()
      const answers = writes.map(run)
      commit.run()
      for (const answer of answers) answer()
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('rollback')
      for (const { reject } of writes) reject(db.isOpen ? error : closed(error))
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
