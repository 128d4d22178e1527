import type { DatabaseSync } from 'node:sqlite'
import { isDiskTrouble, StoreUnavailable } from '../errors.ts'
import type { DiskSync } from './disk-sync.ts'

/** Runs writes that share commits: batches of one directory, and those of others. */
export interface GroupCommit {
  /**
   * Queues a write; resolves with its result once that is on disk. The operation may run twice. When it returns a
   * rejection, it must not have changed anything; when it throws, its changes are rolled back, and the other writes of the
   * commit are not affected.
   */
  write<T>(operation: () => T): Promise<T>
  /** As `write`, but without waiting for the disk unless other writes do: a power failure at that moment loses it. */
  writeSoon<T>(operation: () => T): Promise<T>
  /** Commits the queued writes immediately. */
  flush(): void
  /** The trouble with the disk, such as no space, that failed the last commit; undefined when that succeeded. */
  trouble(): unknown
}

interface Write {
  readonly isDurable: boolean
  /** Runs the operation; the returned function resolves the caller's promise. */
  readonly run: () => Settle
  readonly reject: (error: unknown) => void
}

/** Settles the promise of a write, after the commit. */
type Settle = () => void

/**
 * Commits together the writes that are queued in the same turn of the event loop, as waiting for the disk is what costs. A
 * savepoint around each write would cost another fifth, as SQLite copies every changed page for it; so there is none until
 * a write throws. Then all are rolled back and run again, each in a savepoint.
 */
export function createGroupCommit(db: DatabaseSync, disk?: Pick<DiskSync, 'start'>): GroupCommit {
  const inTransaction = createTransaction(db)
  let queue: Write[] = []
  let trouble: unknown

  function flush(): void {
    if (queue.length === 0) return
    const writes = queue
    queue = []
    for (const settle of commitAll(writes)) settle()
  }

  function commitAll(writes: readonly Write[]): Settle[] {
    try {
      const isDurable = writes.some((write) => write.isDurable)
      const settles = inTransaction(() => writes.map(({ run }) => run()), isDurable)
      if (!isDurable) disk?.start()
      trouble = undefined
      return settles
    } catch (error) {
      return isDiskTrouble(error) ? rejectAll(writes, error) : commitApart(writes)
    }
  }

  function commitApart(writes: readonly Write[]): Settle[] {
    try {
      const settles = inTransaction(() => writes.map((write) => runInSavepoint(db, write)))
      trouble = undefined
      return settles
    } catch (error) {
      return rejectAll(writes, error)
    }
  }

  function rejectAll(writes: readonly Write[], error: unknown): Settle[] {
    const reason = unavailableReason(db, error)
    if (db.isOpen && reason !== error) trouble = error
    return writes.map((write) => () => write.reject(reason))
  }

  function enqueue<T>(operation: () => T, isDurable: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = (): Settle => {
        const result = operation()
        return () => resolve(result)
      }
      if (queue.push({ isDurable, run, reject }) === 1) setImmediate(flush)
    })
  }

  return {
    write: (operation) => enqueue(operation, true),
    writeSoon: (operation) => enqueue(operation, false),
    flush,
    trouble: () => trouble,
  }
}

function createTransaction(db: DatabaseSync): (run: () => Settle[], isDurable?: boolean) => Settle[] {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')

  function transact(run: () => Settle[]): Settle[] {
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

  return (run, isDurable = true) => {
    if (isDurable) return transact(run)
    // The next durable commit waits for this one, too; the order of commits, and the file, are safe in any case.
    db.exec('pragma synchronous = normal')
    try {
      return transact(run)
    } finally {
      if (db.isOpen) db.exec('pragma synchronous = full')
    }
  }
}

/** `StoreUnavailable` when the database is closed or cannot use its disk, else the error. */
function unavailableReason(db: DatabaseSync, error: unknown): unknown {
  if (!db.isOpen) return new StoreUnavailable('The database was closed.', { cause: error })
  if (!isDiskTrouble(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreUnavailable(`The database cannot use its disk: ${reason}`, { cause: error })
}

function runInSavepoint(db: DatabaseSync, { run, reject }: Write): Settle {
  db.exec('savepoint one_write')
  try {
    const settle = run()
    db.exec('release one_write')
    return settle
  } catch (error) {
    if (isDiskTrouble(error)) throw error
    db.exec('rollback to one_write; release one_write')
    return () => reject(error)
  }
}
