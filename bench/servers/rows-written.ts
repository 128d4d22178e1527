import { DatabaseSync } from 'node:sqlite'

/**
 * Returns a function that counts the rows which the SQLite databases of this process have inserted, updated and deleted
 * since they were opened: `total_changes()`, which only the writing connection knows. Connections are detected from now
 * on, when they prepare statements.
 */
export function watchRowsWritten(): () => number {
  const opened = new Set<DatabaseSync>()
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (sql) {
    opened.add(this)
    return prepare.call(this, sql)
  }
  return () => [...opened].filter(({ isOpen }) => isOpen).reduce((sum, db) => sum + changesOf(db), 0)
}

function changesOf(db: DatabaseSync): number {
  return Number(db.prepare('select total_changes() as changes').get()?.['changes'] ?? 0)
}
