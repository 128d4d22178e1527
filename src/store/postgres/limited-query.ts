import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { Query } from 'pg'
import { setLimits } from './limits.ts'

const limitsName = 'rollcall_limits'

/** Prepares a new connection for `limitedQuery`. Does not wait for the server. */
export function prepareLimits(client: PoolClient): void {
  // If it fails, so does every query on this connection, and it is closed.
  client.query({ name: limitsName, text: setLimits }).catch(() => {})
}

/**
 * A statement in a transaction of its own, under the limits of `setLimits`. Both are sent as one unit of the protocol,
 * which the server runs in one transaction: one response, and about 10 µs more than the statement alone.
 */
export function limitedQuery(config: QueryConfig, callback: (error: unknown, result?: QueryResult) => void): Query {
  const query = new Query(config, undefined, (error: unknown, results: QueryResult | QueryResult[]) =>
    error ? callback(error) : callback(undefined, Array.isArray(results) ? results.at(-1) : results),
  )
  const submit = query.submit.bind(query)
  query.submit = (connection) => {
    connection.bind({ statement: limitsName }, true)
    connection.execute({ portal: '' }, true)
    return submit(connection)
  }
  return query
}
