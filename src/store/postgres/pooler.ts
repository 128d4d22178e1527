import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { isMixedUp } from './errors.ts'
import type { Servers } from './servers.ts'
import { isDirect, withSingleConnection } from './single-connection.ts'

/** What is between the service and the server, as far as prepared statements are concerned. */
export type PoolerSupport = 'no-pooler' | 'supported' | 'unsupported' | 'unknown'

/** What is wrong with a pooler that loses prepared statements, and what its operator can do. */
export const poolerProblem = {
  problem:
    'the pooler at DATABASE_URL does not keep track of prepared statements, so that the server plans every statement again',
  advice:
    'Set max_prepared_statements = 200 in PgBouncer 1.21 or later, or pool_mode = session, or set DATABASE_URL to the address of the server itself.',
} as const

const responseMs = 5_000
const rounds = 3

/** The time to wait for a statement that another transaction may block, where the pooler has one connection to the server. */
const blockedMs = 300

/**
 * Finds out whether connections are shared by a pooler that does not keep track of prepared statements: one connection prepares a
 * statement, another one occupies its place at the server, and then the first one uses its statement. Changes nothing.
 */
export async function inspectPooler(servers: Servers): Promise<PoolerSupport> {
  try {
    return await withSingleConnection({ servers, responseMs }, async (one) => {
      if (await isDirect(one)) return 'no-pooler'
      return withSingleConnection({ servers, responseMs }, (other) => compareStatements(one, other))
    })
  } catch {
    // What else is wrong is reported by those who use the database.
    return 'unknown'
  }
}

/** Names of prepared statements belong to a session: two connections may use the same name for different texts. */
async function compareStatements(one: Client, other: Client): Promise<PoolerSupport> {
  const name = `rollcall_check_${randomBytes(8).toString('hex')}`
  async function run(client: Client, answer: string): Promise<boolean> {
    try {
      const { rows } = await client.query<{ answer: string }>({ name, text: `select '${answer}' as answer` })
      return rows[0]?.answer === answer
    } catch (error) {
      if (isMixedUp(error)) return false
      throw error
    }
  }
  let isSupported = await run(one, 'one')
  for (let n = 0; n < rounds && isSupported; n += 1) {
    await other.query('begin')
    const ofOther = await run(other, 'other')
    const ofOne = run(one, 'one')
    await Promise.race([ofOne, pause(blockedMs)])
    await other.query('rollback')
    isSupported = ofOther && (await ofOne)
  }
  return isSupported ? 'supported' : 'unsupported'
}
