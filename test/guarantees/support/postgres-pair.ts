import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresCluster } from '../../../tools/polis/postgres-cluster.ts'
import { clusterUrl, createCluster, freePort } from '../../../tools/polis/postgres-cluster.ts'
import { testEncryptionKey } from '../../support/database.ts'
import { execute } from '../../support/postgres.ts'
import type { Network } from './network.ts'
import { startNetwork } from './network.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { copyAsStandby } from './standby.ts'

/** A PostgreSQL server with a synchronous standby, behind an address that leads to the one that takes writes. */
export interface PostgresPair extends OwnPostgres {
  /**
   * Ends the server, promotes its standby, leads the address there, and makes a new standby. Resolves when every commit
   * waits for the new standby.
   *
   * @param isCrash whether the server crashes; otherwise it shuts down, as in a planned switchover
   */
  failOver(isCrash: boolean): Promise<void>
  /** Makes all new transactions read-only for `forMs`, as on a server that has been demoted. */
  makeReadOnly(forMs: number): Promise<void>
  /** Lets every change of a row fail for `forMs` with the error that a server without space on its disk reports. */
  fillDisk(forMs: number): Promise<void>
  /** Suspends replication for `forMs`: commits wait that long. */
  hangStandby(forMs: number): Promise<void>
  /** Suspends replication, until `restoreStandby`. */
  loseStandby(): void
  restoreStandby(): void
}

interface Node {
  readonly cluster: PostgresCluster
  readonly port: number
}

/** A standby, with the network by which it follows its primary. */
interface Standby extends Node {
  readonly network: Network
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  wal_keep_size: '512MB',
  wal_retrieve_retry_interval: '500ms',
  max_connections: '200',
}

/** The time that a load balancer takes to notice that the server is gone, in milliseconds. */
const detectionMs = 1_000

/** Starts both servers in temporary folders on free ports. */
export async function startPostgresPair(): Promise<PostgresPair> {
  await using undo = new AsyncDisposableStack()
  let primary: Node = { cluster: undo.use(await createCluster({ initdbFlags, settings })), port: await freePort() }
  await primary.cluster.start(primary.port)
  let standby = await follow(primary)
  undo.defer(() => endStandby(standby))
  undo.defer(() => primary.cluster[Symbol.asyncDispose]())
  const address = undo.use(await startNetwork(clusterUrl(primary.port)))
  const env = { DATABASE_URL: address.url, ENCRYPTION_KEY: testEncryptionKey, DATABASE_POOL_SIZE: '4' }
  // The folders of servers end with them.
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-pair-'))
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const owned = undo.move()
  return {
    database: { engine: 'postgres', env, folder, [Symbol.asyncDispose]: async () => {} },
    stop: () => primary.cluster.stop(),
    crash: () => primary.cluster.stop('SIGQUIT'),
    start: () => primary.cluster.start(primary.port),
    async failOver(isCrash) {
      const [former, next] = [primary, standby]
      await former.cluster.stop(isCrash ? 'SIGQUIT' : 'SIGINT')
      await pause(detectionMs)
      await execute(clusterUrl(next.port), 'select pg_promote(true, 60)')
      primary = next
      address.leadTo(clusterUrl(next.port))
      await next.network[Symbol.asyncDispose]()
      await former.cluster[Symbol.asyncDispose]()
      standby = await follow(next)
    },
    async makeReadOnly(forMs) {
      await configure(primary, 'default_transaction_read_only = on')
      await pause(forMs)
      await configure(primary, 'default_transaction_read_only = off')
    },
    async fillDisk(forMs) {
      await execute(clusterUrl(primary.port), refuseChanges)
      await pause(forMs)
      await execute(clusterUrl(primary.port), 'delete from full_disk.is_full')
    },
    async hangStandby(forMs) {
      standby.network.lose()
      await pause(forMs)
      standby.network.restore()
    },
    loseStandby: () => standby.network.lose(),
    restoreStandby: () => standby.network.restore(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/**
 * Makes every change of a row of the service fail from now on, until `full_disk.is_full` is empty. A trigger reports it, as only an
 * administrator can limit the space of a real disk.
 */
const refuseChanges = `
  create schema if not exists full_disk;
  create table if not exists full_disk.is_full (since timestamptz not null default now());
  create or replace function full_disk.refuse() returns trigger language plpgsql as $$
  begin
    if exists (select from full_disk.is_full) then
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end if;
    return null;
  end $$;
  do $$
  declare name text;
  begin
    for name in
      select tablename from pg_tables where schemaname = 'public' except
      select event_object_table from information_schema.triggers where trigger_name = 'full_disk'
    loop
      execute format(
        'create trigger full_disk before insert or update or delete on %I for each statement execute function full_disk.refuse()',
        name);
    end loop;
  end $$;
  insert into full_disk.is_full default values`

const initdbFlags = ['--no-sync', '--encoding=UTF8']

/** Makes a standby, and lets every commit of the primary wait for it. */
async function follow(primary: Node): Promise<Standby> {
  const network = await startNetwork(clusterUrl(primary.port))
  const port = await freePort()
  const cluster = await createCluster({
    settings,
    copy: (dataFolder) => copyAsStandby(clusterUrl(primary.port), primary.cluster.dataFolder, dataFolder, network.url),
  })
  await cluster.start(port)
  await configure(primary, `synchronous_standby_names = '*'`)
  return { cluster, port, network }
}

async function endStandby({ cluster, network }: Standby): Promise<void> {
  await cluster[Symbol.asyncDispose]()
  await network[Symbol.asyncDispose]()
}

async function configure({ port }: Node, setting: string): Promise<void> {
  await execute(clusterUrl(port), `alter system set ${setting}`)
  await execute(clusterUrl(port), 'select pg_reload_conf()')
}
