import type { Settings } from '../../app/settings.ts'
import { parseEncryptionKeys } from '../../store/encryption-key.ts'
import type { DatabaseState } from '../../store/postgres/inspect.ts'
import { inspectPostgres } from '../../store/postgres/inspect.ts'
import type { PoolerSupport } from '../../store/postgres/pooler.ts'
import { inspectPooler, poolerProblem } from '../../store/postgres/pooler.ts'
import { serversAt } from '../../store/postgres/servers.ts'
import { createSealing } from '../../store/sealing.ts'
import { countOf, formatMs } from '../terminal/quantity.ts'
import type { Check, DatabaseChecks } from './check.ts'
import { fail, ok, reasonOf, warn } from './check.ts'

const oldestMajor = 15
/**
 * When clocks differ by more than the first, one of them is wrong. The service uses that of the database: if that is the wrong
 * one, and the difference is more than the second, consumers may reject signatures.
 */
const noticeableMs = 2000
const tooMuchMs = 120_000

/** Checks PostgreSQL; nothing is created or migrated. */
export async function checkPostgres(settings: Settings): Promise<DatabaseChecks> {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, ENCRYPTION_KEY = '' } = settings
  const keys = parseEncryptionKeys(ENCRYPTION_KEY)
  try {
    const servers = serversAt(DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL')
    const state = await inspectPostgres(servers, keys === undefined ? undefined : createSealing(keys))
    const pooler = await inspectPooler(serversAt(DATABASE_URL, 'DATABASE_URL'))
    const checks = [
      checkVersion(state),
      checkSchema(state),
      checkWritable(state),
      checkPooler(pooler),
      checkKey(state),
      checkClock(state),
      checkConnections(state, settings),
    ]
    return { checks, isCurrent: state.pending === 0 && state.unusable === undefined }
  } catch (error) {
    const advice = 'Check DATABASE_URL, and that the database is running and reachable from here.'
    return { checks: [fail('database', reasonOf(error), advice)], isCurrent: false }
  }
}

function checkVersion({ version, roundTripMs }: DatabaseState): Check {
  const message = `PostgreSQL ${version}, ${formatMs(roundTripMs)} away`
  if (Number.parseInt(version, 10) < oldestMajor)
    return fail('database', message, `Upgrade it to ${oldestMajor} or later.`)
  return roundTripMs < 20
    ? ok('database', message)
    : warn('database', message, 'Run Rollcall close to its database: a request takes one or two round trips.')
}

function checkSchema({ pending, unusable }: DatabaseState): Check {
  if (unusable !== undefined) {
    return fail('schema', unusable, 'Install the version that migrated it, or restore a backup that was made before.')
  }
  return ok('schema', pending === 0 ? 'current' : `the next start applies ${countOf(pending, 'migration')}`)
}

function checkWritable({ isReadOnly }: DatabaseState): Check {
  return isReadOnly
    ? fail('writing', 'the server accepts no writes', 'Connect to the primary server, not to a replica.')
    : ok('writing', 'the server accepts writes')
}

function checkPooler(support: PoolerSupport): Check {
  if (support === 'no-pooler') return ok('pooler', 'there is none between this machine and the server')
  if (support === 'supported') return ok('pooler', 'it keeps track of prepared statements')
  if (support === 'unsupported') return fail('pooler', poolerProblem.problem, poolerProblem.advice)
  return warn(
    'pooler',
    'DATABASE_URL does not answer as it should',
    'Check that the pooler runs and reaches the server.',
  )
}

function checkKey({ unreadable }: DatabaseState): Check {
  return unreadable === undefined
    ? ok('encryption key', 'ENCRYPTION_KEY decrypts the stored secrets')
    : fail('encryption key', unreadable, 'Add the key that belongs to this database to ENCRYPTION_KEY.')
}

function checkClock({ clockDifferenceMs }: DatabaseState): Check {
  const message = `the clock of the database differs by ${formatMs(Math.abs(Math.round(clockDifferenceMs)))} from that of this machine`
  const advice = 'Synchronize the clocks of both machines, with chrony or systemd-timesyncd.'
  if (Math.abs(clockDifferenceMs) > tooMuchMs) return fail('clock', message, advice)
  return Math.abs(clockDifferenceMs) > noticeableMs ? warn('clock', message, advice) : ok('clock', message)
}

function checkConnections({ maxConnections }: DatabaseState, { DATABASE_POOL_SIZE }: Settings): Check {
  const needed = DATABASE_POOL_SIZE + 1
  const message = `the server allows ${maxConnections} connections, a process uses ${needed}`
  return maxConnections >= needed * 2
    ? ok('connections', message)
    : warn('connections', message, 'Raise max_connections, or lower DATABASE_POOL_SIZE: restarts need twice as many.')
}
