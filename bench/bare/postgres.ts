import pg from 'pg'
import type { BareStore, BareUser } from './store.ts'
import { bareTables } from './store.ts'

interface Write {
  readonly user: BareUser
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const insertText = `
  with new_users as (
    insert into users (id, directory_id, user_name, raw) select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
  )
  insert into events (id, directory_id, data) select * from unnest($1::text[], $2::text[], $4::text[])`

/** The bare store on PostgreSQL: writes that arrive while a batch is in flight form the next batch, one statement each. */
export async function openBarePostgres(url: string, poolSize: number): Promise<BareStore> {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  await pool.query(bareTables)
  let queue: Write[] = []
  let isBusy = false

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const writes = queue
      queue = []
      await insertAll(writes.map(({ user }) => user)).then(
        () => writes.forEach(({ resolve }) => void resolve()),
        (error) => writes.forEach(({ reject }) => void reject(error)),
      )
    }
    isBusy = false
  }

  async function insertAll(users: readonly BareUser[]): Promise<void> {
    const values = [
      users.map(({ id }) => id),
      users.map(({ directoryId }) => directoryId),
      users.map(({ userName }) => userName),
      users.map(({ raw }) => raw),
    ]
    await pool.query({ name: 'insert', text: insertText, values })
  }

  async function read(name: string, text: string, values: string[]): Promise<string | undefined> {
    const { rows } = await pool.query<{ raw: string }>({ name, text, values })
    return rows[0]?.raw
  }

  return {
    insert: (user) =>
      new Promise((resolve, reject) => {
        queue.push({ user, resolve, reject })
        if (!isBusy) setImmediate(flush)
        isBusy = true
      }),
    byId: (_directoryId, id) => read('by_id', 'select raw from users where id = $1', [id]),
    byUserName: (directoryId, userName) =>
      read('by_name', 'select raw from users where directory_id = $1 and user_name = $2', [directoryId, userName]),
    close: () => pool.end(),
  }
}
