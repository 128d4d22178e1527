import { Client, DatabaseError } from 'pg'

/**
 * Every frequent statement finds its rows by index. For tables that were empty when they were analyzed, the planner would
 * prefer to read them whole, and keep to that plan while they fill.
 */
const settings = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off'

/** SQLSTATE of a protocol violation: how PgBouncer rejects `options` unless `ignore_startup_parameters` names it. */
const optionsRejected = '08P01'

/**
 * The URL with settings of the planner for its connections, unless a pooler rejects them. The shape of each statement keeps
 * plans right without the settings, too, except on tables that were analyzed when they were nearly empty.
 */
export async function withPlannerSettings(url: string): Promise<string> {
  if (!URL.canParse(url)) return url
  const configured = new URL(url)
  configured.searchParams.set('options', `${configured.searchParams.get('options') ?? ''} ${settings}`.trim())
  const client = new Client({ connectionString: configured.href, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return configured.href
  } catch (error) {
    // Any other error is reported by the next connection.
    return error instanceof DatabaseError && error.code === optionsRejected ? url : configured.href
  } finally {
    await client.end()
  }
}
