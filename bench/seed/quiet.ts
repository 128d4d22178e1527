import { DatabaseSync } from 'node:sqlite'
import { execute } from '../../test/support/postgres.ts'
import type { EngineName } from '../engines/engine.ts'

const values = (id: string, n: string) => `
  ${id}, name, 'quiet-' || ${n}, product, 'extdir', scim_secret, endpoint_url, endpoint_secret, 0, 0, 1, 1`
const names = `
  id, name, tenant, product, directory_type, scim_secret, endpoint_url, endpoint_secret, log_webhook_events, deactivated,
  created_at, can_sync, synced_at`
const healthNames = `
  directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at, deactivated, severity`
const healthValues = 'id, tenant, lower(tenant), product, directory_type, lower(name), created_at, deactivated, 200'

/**
 * Adds copies of the database's only directory with SQL; no service may be running. They have events, all delivered and
 * too young for retention, and are pulled directories that have just been synced.
 */
export async function seedQuiet(
  engine: EngineName,
  env: Readonly<Record<string, string>>,
  count: number,
): Promise<void> {
  const url = env['DATABASE_URL'] ?? ''
  const now = Date.now()
  if (engine === 'sqlite') seedSqlite(url.slice('sqlite:'.length), count, now)
  else await seedPostgres(url, count, now)
}

function seedSqlite(file: string, count: number, now: number): void {
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off; begin;
    insert into directories (${names})
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select ${values("'quiet-' || n", 'n')}, ${now} from numbers, directories d where d.number = 1;
    insert into directory_health (${healthNames}) select ${healthValues} from directories d
      where not exists (select 1 from directory_health h where h.directory_id = d.id);
    insert into directory_state (directory_id, number, revision, last_sequence, oldest_event_at)
      select id, number, 1, 1, ${now} from directories where number > 1;
    insert into delivery_streams (directory_id, target, delivered_sequence)
      select id, 'endpoint', 1 from directories where number > 1;
    commit`)
  db.close()
}

async function seedPostgres(url: string, count: number, now: number): Promise<void> {
  const numbers = `generate_series(1, ${count}) n`
  await execute(
    url,
    `begin;
    insert into directories (${names})
      select ${values("'quiet-' || n", 'n')}, ${now} from directories d cross join ${numbers};
    insert into directory_health (${healthNames}) select ${healthValues} from directories d
      where not exists (select 1 from directory_health h where h.directory_id = d.id);
    insert into directory_state (directory_id, revision, last_sequence, oldest_event_at)
      select 'quiet-' || n, 1, 1, ${now} from ${numbers};
    insert into delivery_streams (directory_id, target, delivered_sequence)
      select 'quiet-' || n, 'endpoint', 1 from ${numbers};
    commit`,
  )
  // Otherwise the measured statements would pay for the copies. Not every role may do this.
  await execute(url, 'checkpoint').catch(() => [])
}
