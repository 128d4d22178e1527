import pg from 'pg'
import type { BareChange, BareStore, BareUser } from './store.ts'
import { bareTables } from './store.ts'

const insertText = `
  with new_users as (
    insert into users (id, directory_id, user_name, raw) select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
  )
  insert into events (id, directory_id, data) select * from unnest($1::text[], $2::text[], $4::text[])`

const replaceText = `
  with changed as (
    update users u set raw = c.raw from unnest($2::text[], $4::text[]) as c (id, raw) where u.id = c.id
  )
  insert into events (id, directory_id, data) select * from unnest($1::text[], $3::text[], $4::text[])`

/**
 * The bare store on PostgreSQL: writes that arrive while a batch is in flight form the next batch, one statement each.
 */
export async function openBarePostgres(url: string, poolSize: number): Promise<BareStore> {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  await pool.query(bareTables)

  async function read(name: string, text: string, values: string[]): Promise<string | undefined> {
    const { rows } = await pool.query<{ raw: string }>({ name, text, values })
    return rows[0]?.raw
  }

  return {
    insert: createBatch<BareUser>(async (users) => {
      const values = columnsOf(users, ['id', 'directoryId', 'userName', 'raw'])
      await pool.query({ name: 'insert', text: insertText, values })
    }),
    replace: createBatch<BareChange>(async (changes) => {
      const values = columnsOf(changes, ['eventId', 'id', 'directoryId', 'raw'])
      await pool.query({ name: 'replace', text: replaceText, values })
    }),
    byId: (_directoryId, id) => read('by_id', 'select raw from users where id = $1', [id]),
    byUserName: (directoryId, userName) =>
      read('by_name', 'select raw from users where directory_id = $1 and user_name = $2', [directoryId, userName]),
    close: () => pool.end(),
  }
}

function columnsOf<T>(rows: readonly T[], names: readonly (keyof T)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]))
}

function createBatch<T>(writeAll: (inputs: readonly T[]) => Promise<void>): (input: T) => Promise<void> {
  let queue: { readonly input: T; readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = []
  let isBusy = false

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const writes = queue
      queue = []
      await writeAll(writes.map(({ input }) => input)).then(
        () => writes.forEach(({ resolve }) => void resolve()),
        (error) => writes.forEach(({ reject }) => void reject(error)),
      )
    }
    isBusy = false
  }

  return (input) =>
    new Promise((resolve, reject) => {
      queue.push({ input, resolve, reject })
      if (!isBusy) setImmediate(flush)
      isBusy = true
    })
}
