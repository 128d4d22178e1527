import type { Directory } from '../../../src/directory/directory.ts'
import type { Store } from '../../../src/store/store.ts'
import { execute } from '../../support/postgres.ts'

const now = 1_700_000_000_000

/** The periodic reads of the service; none of them depends on the number of idle directories. */
export function periodicReads(store: Store): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    'directoriesDue to endpoints': () => store.directoriesDue('endpoint', 'process', now, '', 200),
    'directoriesDue to onEvent': () => store.directoriesDue('on-event', 'process', now, '', 200),
    countStreams: () => store.countStreams('endpoint', now),
    countUndelivered: () => store.countUndelivered('endpoint'),
    takeOverdue: () => store.takeOverdue(now, 100),
    directoriesToPrune: () => store.directoriesToPrune(now, undefined, 100),
    directoriesDueToSync: () => store.directoriesDueToSync(now, undefined, 100),
    listRunningResyncs: () => store.listRunningResyncs('', 100),
    renewLeases: () => store.renewLeases('endpoint', 'process', 1_000),
    renewSyncRuns: () => store.renewSyncRuns('process', 1_000),
  }
}

/**
 * Adds copies of a directory, numbered `from` to `to`, that are idle: connected to Google and synced later than `now`,
 * with an endpoint that has received the only event.
 */
export async function addIdle(url: string, { id }: Directory, from: number, to: number): Promise<void> {
  const numbers = `generate_series(${from}, ${to}) n`
  await execute(
    url,
    `begin;
    insert into directories (id, name, tenant, product, directory_type, scim_secret, endpoint_url, endpoint_secret,
        log_webhook_events, deactivated, created_at, can_sync, synced_at)
      select 'idle-' || n, name, 'tenant-' || n, product, 'extdir', 'secret', 'http://127.0.0.1', 'secret', 0, 0, 1, 1,
        ${now + 1} from directories d cross join ${numbers} where d.id = '${id}';
    insert into directory_health (directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at,
        deactivated, severity)
      select 'idle-' || n, 'tenant-' || n, 'tenant-' || n, product, 'extdir', lower(name), 1, 0, 112
      from directories d cross join ${numbers} where d.id = '${id}';
    insert into directory_state (directory_id, revision, last_sequence, oldest_event_at)
      select 'idle-' || n, 1, 1, ${now + 1} from ${numbers};
    insert into delivery_streams (directory_id, target, delivered_sequence)
      select 'idle-' || n, target, 1 from ${numbers} cross join (values ('endpoint'), ('on-event')) t (target);
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, data)
      select 'idle-' || n, 1, 'event-' || n, 'user.created', ${now + 1}, 'request', '{}' from ${numbers};
    commit`,
  )
}
