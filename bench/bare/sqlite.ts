import { DatabaseSync } from 'node:sqlite'
import type { BareStore, BareUser } from './store.ts'
import { bareTables } from './store.ts'

interface Write {
  readonly user: BareUser
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The bare store on SQLite: as durable as the service; writes of one turn of the event loop share a commit. */
export function openBareSqlite(file: string): BareStore {
  const db = new DatabaseSync(file)
  db.exec(`
    pragma locking_mode = exclusive;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma cache_size = -32000;
    ${bareTables}`)
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const insertUser = db.prepare('insert into users (id, directory_id, user_name, raw) values (?, ?, ?, ?)')
  const insertEvent = db.prepare('insert into events (id, directory_id, data) values (?, ?, ?)')
  const byId = db.prepare('select raw from users where id = ?')
  const byUserName = db.prepare('select raw from users where directory_id = ? and user_name = ?')
  let queue: Write[] = []

  function flush(): void {
    const writes = queue
    queue = []
    try {
      begin.run()
      for (const { user } of writes) {
        insertUser.run(user.id, user.directoryId, user.userName, user.raw)
        insertEvent.run(user.id, user.directoryId, user.raw)
      }
      commit.run()
      for (const { resolve } of writes) resolve()
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      for (const { reject } of writes) reject(error)
    }
  }

  return {
    insert: (user) =>
      new Promise((resolve, reject) => {
        if (queue.push({ user, resolve, reject }) === 1) setImmediate(flush)
      }),
    byId: async (_directoryId, id) => rawOf(byId.get(id)),
    byUserName: async (directoryId, userName) => rawOf(byUserName.get(directoryId, userName)),
    close: async () => db.close(),
  }
}

function rawOf(row: Record<string, unknown> | undefined): string | undefined {
  return row === undefined ? undefined : String(row['raw'])
}
