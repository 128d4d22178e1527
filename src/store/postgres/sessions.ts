import type { Client } from 'pg'
import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import { limitOptions, responseMs } from './limits.ts'
import { withSingleConnection } from './single-connection.ts'

/**
 * Every frequent statement finds its rows by index. For tables that were empty when they were analyzed, the planner would
 * prefer to read them whole, and keep to that plan while they fill. The plan of a prepared statement is made once: the values
 * of its parameters would not change it, and planning takes longer than most statements run.
 */
const plannerOptions = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

/** How the pools connect. */
export interface Sessions {
  readonly url: string
  /** Whether their connections begin with the limits of transactions; otherwise each transaction sets them. */
  readonly areLimited: boolean
}

/**
 * Adds settings for the whole connection to a URL: those of the planner, unless a pooler rejects them, and the limits of
 * transactions, if there is no pooler. The shape of each statement keeps plans right without the settings, too, except on
 * tables that were analyzed when they were nearly empty.
 */
export async function configureSessions(url: string): Promise<Sessions> {
  if (!URL.canParse(url)) return { url, areLimited: false }
  const planned = withOptions(url, plannerOptions)
  try {
    const version = await withSingleConnection({ url: planned, responseMs }, directServerVersion)
    if (version === undefined) return { url: planned, areLimited: false }
    return { url: withOptions(planned, limitOptions(version)), areLimited: true }
  } catch (error) {
    // Any other error is reported by the next connection.
    const areRejected = error instanceof StoreUnavailable && rejectsOptions(error.cause)
    return { url: areRejected ? url : planned, areLimited: false }
  }
}

function withOptions(url: string, options: string): string {
  const configured = new URL(url)
  configured.searchParams.set('options', `${configured.searchParams.get('options') ?? ''} ${options}`.trim())
  return configured.href
}

/**
 * The version of the server; undefined behind a pooler, which sends keys of its own for canceling statements, as it must find
 * the server of a statement by them: the process that the key names is not the one that answers.
 */
async function directServerVersion(client: Client): Promise<number | undefined> {
  const text = `select pg_backend_pid() as pid, current_setting('server_version_num')::int4 as version`
  const { rows } = await client.query<{ pid: number; version: number }>(text)
  const isDirect = 'processID' in client && rows[0]?.pid === client.processID
  return isDirect ? rows[0]?.version : undefined
}

/**
 * Whether a pooler refuses a connection because of its `options`. PgBouncer reports all its own errors as violations of the
 * protocol (08P01), also that the server is down; other poolers say that options are not supported (0A000).
 */
export function rejectsOptions(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.code === '0A000' || (error.code === '08P01' && error.message.includes('startup parameter'))
}
