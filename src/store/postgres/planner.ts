import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'
import { responseMs } from './limits.ts'
import { withSingleConnection } from './single-connection.ts'

/**
 * Every frequent statement finds its rows by index. For tables that were empty when they were analyzed, the planner would
 * prefer to read them whole, and keep to that plan while they fill. The plan of a prepared statement is made once: the values
 * of its parameters would not change it, and planning takes longer than most statements run.
 */
const settings = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

/**
 * The URL with settings of the planner for its connections, unless a pooler rejects them. The shape of each statement keeps
 * plans right without the settings, too, except on tables that were analyzed when they were nearly empty.
 */
export async function withPlannerSettings(url: string): Promise<string> {
  if (!URL.canParse(url)) return url
  const configured = new URL(url)
  configured.searchParams.set('options', `${configured.searchParams.get('options') ?? ''} ${settings}`.trim())
  try {
    await withSingleConnection({ url: configured.href, responseMs }, async () => {})
    return configured.href
  } catch (error) {
    // Any other error is reported by the next connection.
    return error instanceof StoreUnavailable && rejectsOptions(error.cause) ? url : configured.href
  }
}

/**
 * Whether a pooler refuses a connection because of its `options`. PgBouncer reports all its own errors as violations of the
 * protocol (08P01), also that the server is down; other poolers say that options are not supported (0A000).
 */
export function rejectsOptions(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.code === '0A000' || (error.code === '08P01' && error.message.includes('startup parameter'))
}
