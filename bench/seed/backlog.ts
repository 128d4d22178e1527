import { DatabaseSync } from 'node:sqlite'
import { marksWork } from '../../src/store/streams.ts'
import { execute } from '../../test/support/postgres.ts'
import type { EngineName } from '../engines/engine.ts'

const columns = 'directory_id, sequence, id, event_type, created_at, request_id, data, changes'

const copiesAtOnce = 100_000

/**
 * Copies a directory's first event with SQL until there are `count`; no service may be running. Only events are copied,
 * not the users they are about.
 */
export async function seedBacklog(
  engine: EngineName,
  env: Readonly<Record<string, string>>,
  directoryId: string,
  count: number,
): Promise<void> {
  const url = env['DATABASE_URL'] ?? ''
  if (engine === 'sqlite') seedSqlite(url.slice('sqlite:'.length), directoryId, count)
  else await seedPostgres(url, directoryId, count)
}

function seedSqlite(file: string, directoryId: string, count: number): void {
  const db = new DatabaseSync(file)
  db.exec('pragma synchronous = off')
  const copy = db.prepare(`
    with recursive numbers (n) as (select :first union all select n + 1 from numbers where n < :last)
    insert into events (${columns})
    select e.directory_id, n, substr(e.id, 1, 24) || printf('%012x', n),
      e.event_type, e.created_at, e.request_id, e.data, e.changes
    from numbers, events e
    where e.directory_id = :directoryId and e.sequence = 1`)
  for (let first = 2; first <= count; first += copiesAtOnce) {
    copy.run({ first, last: Math.min(first + copiesAtOnce - 1, count), directoryId })
  }
  db.prepare(`update directory_state set last_sequence = ?, ${marksWork} where directory_id = ?`).run(
    count,
    directoryId,
  )
  db.close()
}

async function seedPostgres(url: string, directoryId: string, count: number): Promise<void> {
  for (let first = 2; first <= count; first += copiesAtOnce) {
    const last = Math.min(first + copiesAtOnce - 1, count)
    await execute(
      url,
      `insert into events (${columns})
       select e.directory_id, n, left(e.id, 24) || lpad(to_hex(n), 12, '0'),
         e.event_type, e.created_at, e.request_id, e.data, e.changes
       from generate_series(${first}, ${last}) n, events e
       where e.directory_id = '${directoryId}' and e.sequence = 1`,
    )
  }
  await execute(
    url,
    `update directory_state set last_sequence = ${count}, ${marksWork} where directory_id = '${directoryId}'`,
  )
  await execute(url, 'vacuum analyze events')
  // Otherwise the measured writes would pay for the copies. Not every role may do this.
  await execute(url, 'checkpoint').catch(() => [])
}
