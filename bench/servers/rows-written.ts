import { DatabaseSync } from 'node:sqlite'

/**
 * Answers a function that tells how many rows the SQLite databases of this process have inserted, updated and deleted
 * since they were opened: `total_changes()`, which only the connection that wrote knows. Connections are noted as they
 * prepare their statements, from now on.
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
