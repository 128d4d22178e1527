import type { Client } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import type { PostgresAddress } from '../postgres-address.ts'
import { idleMs, lockMs, longTransactionMs, responseMs, statementMs, transactionMs } from './limits.ts'
import type { Servers } from './servers.ts'
import { createServers } from './servers.ts'
import { isDirect, withSingleConnection } from './single-connection.ts'

/*
 * The settings of every transaction: how its statements are planned, and its time limits. Connections to the server
 * itself begin with these settings. Behind a pooler, where settings of a session would reach other clients, each transaction
 * sets them.
 */

/**
 * Every frequent statement finds its rows by index, in the order of the index. While a table is small, the planner prefers to
 * read it whole, or to sort what another index finds, and keeps to that plan while the table fills. The plan of a prepared
 * statement is made once: the values of its parameters would not change it, and planning takes longer than most statements run.
 */
export const plannerSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
}

const timeLimits = {
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleMs,
}

/** The first version with `transaction_timeout`. A server rejects a setting that it does not know. */
const withTransactionTimeout = 170_000

/** The servers of the pools, with the settings of their connections. */
export interface Sessions {
  readonly servers: Servers
  /** Whether their connections begin with the settings; otherwise each transaction sets them. */
  readonly areConfigured: boolean
}

/** Adds the settings to the address of servers if it is that of the servers themselves. */
export async function configureSessions(servers: Servers): Promise<Sessions> {
  const version = await withSingleConnection({ servers, responseMs }, directServerVersion).catch(ignoreUnavailable)
  if (version === undefined) return { servers, areConfigured: false }
  const transactionTimeout = version >= withTransactionTimeout && { transaction_timeout: transactionMs }
  const address = withOptions(servers.address, { ...plannerSettings, ...timeLimits, ...transactionTimeout })
  return { servers: createServers(address), areConfigured: true }
}

/** The next connection reports it. */
function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error
}

function withOptions(address: PostgresAddress, settings: Readonly<Record<string, string | number>>): PostgresAddress {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return { ...address, options: [address.options ?? '', ...options].join(' ').trim() }
}

/** The version of the server; undefined behind a pooler. */
async function directServerVersion(client: Client): Promise<number | undefined> {
  if (!(await isDirect(client))) return undefined
  const text = `select current_setting('server_version_num')::int4 as version`
  const { rows } = await client.query<{ version: number }>(text)
  return rows[0]?.version
}

/** Makes the settings until the end of the transaction. Returns no rows. */
export const configureTransaction = settingAll([transactionMs])

/** As `configureTransaction`, for a transaction that may take long. A limit that the connection began with must be ended first. */
export const configureLongTransaction = settingAll([0, longTransactionMs])

/** The condition makes the server compute the columns. */
function settingAll(transactionTimeouts: readonly number[]): string {
  const set = (name: string, value: string | number) => `set_config('${name}', '${value}', true)`
  const always = Object.entries({ ...plannerSettings, ...timeLimits }).map(([name, value]) => set(name, value))
  const timeout = transactionTimeouts.map((ms) => set('transaction_timeout', ms)).join(' || ')
  return `
  select from (
    select ${always.join(' || ')} as a,
      case when current_setting('server_version_num')::int4 >= ${withTransactionTimeout} then ${timeout} end as b
  ) settings where settings.a is null`
}
