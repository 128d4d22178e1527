import { DatabaseSync } from 'node:sqlite'
import type { BareStore } from './store.ts'
import { bareTables } from './store.ts'

interface Write {
  readonly run: () => void
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
  const replaceUser = db.prepare('update users set raw = ? where id = ?')
  const insertEvent = db.prepare('insert into events (id, directory_id, data) values (?, ?, ?)')
  const byId = db.prepare('select raw from users where id = ?')
  const byUserName = db.prepare('select raw from users where directory_id = ? and user_name = ?')
  let queue: Write[] = []

  function flush(): void {
    const writes = queue
    queue = []
    try {
      begin.run()
      for (const { run } of writes) run()
      commit.run()
      for (const { resolve } of writes) resolve()
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      for (const { reject } of writes) reject(error)
    }
  }

  const write = (run: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (queue.push({ run, resolve, reject }) === 1) setImmediate(flush)
    })

  return {
    insert: ({ id, directoryId, userName, raw }) =>
      write(() => {
        insertUser.run(id, directoryId, userName, raw)
        insertEvent.run(id, directoryId, raw)
      }),
    replace: ({ id, directoryId, raw, eventId }) =>
      write(() => {
        replaceUser.run(raw, id)
        insertEvent.run(eventId, directoryId, raw)
      }),
    byId: async (_directoryId, id) => rawOf(byId.get(id)),
    byUserName: async (directoryId, userName) => rawOf(byUserName.get(directoryId, userName)),
    close: async () => db.close(),
  }
}

function rawOf(row: Record<string, unknown> | undefined): string | undefined {
  return row === undefined ? undefined : String(row['raw'])
}
