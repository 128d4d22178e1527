import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Answer } from '../../support/client.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import type { LogLine } from '../../support/service.ts'
import { forSuite, startTestService } from '../../support/service.ts'
import { withoutRepeats } from '../support/deliveries.ts'
import type { Idp } from '../support/idp.ts'
import { idpOf, names } from '../support/idp.ts'
import { startNetwork } from '../support/network.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { connect } from '../support/world.ts'

const isOurs = process.env['TEST_DATABASE_URL'] === undefined
const skip = isOurs ? false : 'a test must not stop the server of TEST_DATABASE_URL'

const warning = 40

/** Creates a user, retrying on 503; returns the first other status. */
async function createWithRetries(idp: Idp, userName: string): Promise<number> {
  for (;;) {
    const { status, headers } = await idp.send('POST', '/Users', { userName })
    if (status !== 503) return status
    assert.match(String(headers['retry-after']), /^\d+$/)
    await pause(20)
  }
}

describe('postgres', { skip }, () => {
  const shared = forSuite(startOwnPostgres)

  test('while the database is down, requests return 503 with Retry-After, and metrics and log say why', async () => {
    const postgres = shared()
    await using service = await startTestService(postgres.database)
    const directory = await service.createDirectory()
    const idp = idpOf(service, directory)
    const id = await idp.createUser('bjensen')
    await postgres.stop()

    const responses = [
      await service.request('GET', '/readyz'),
      await idp.send('GET', `/Users/${id}`),
      await idp.send('GET', '/Users?filter=userName%20eq%20"bjensen"'),
      await idp.send('POST', '/Users', { userName: 'babs' }),
      await idp.send('PUT', `/Users/${id}`, { userName: 'bjensen' }),
      await idp.send('DELETE', `/Users/${id}`),
      await idp.send('POST', '/Groups', { displayName: 'Engineering', members: [{ value: id }] }),
      await service.api('GET', `/users/${id}?directoryId=${directory.id}`),
      await service.api('GET', `/users?directoryId=${directory.id}`),
      await service.api('PATCH', `/${directory.id}`, { name: 'renamed' }),
    ]
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, /^\d+$/.test(String(headers['retry-after']))]),
      responses.map(() => [503, true]),
    )
    const last = responses.at(-1)?.headers['x-request-id']
    const { level } = await service.logged(({ requestId, msg }) => requestId === last && msg === 'request')
    assert.equal(level, warning)
    assert.equal((await service.request('GET', '/healthz')).status, 200)

    await Promise.all(names('probe', 20).map(() => service.request('GET', '/readyz')))
    assertShort(service.log)
    assertMetricsOfOutage(await service.request('GET', '/metrics'))
    await postgres.start()
    const { seconds } = await service.logged(({ msg }) => msg === 'the database is available again')
    assert.equal(typeof seconds, 'number')
    assert.equal(service.log.filter(({ msg }) => msg === 'the database is not available').length, 1)
  })

  test('while the database hangs, the metrics are there', async () => {
    await using database = await openTestDatabase('postgres')
    await using network = await startNetwork(database.env['DATABASE_URL'] ?? '')
    await using service = await startTestService(database, { DATABASE_URL: network.url })
    await eventually('the metrics to say that the database responds', async () => {
      return (await service.request('GET', '/metrics')).text.includes('\nrollcall_database_up 1\n')
    })
    network.lose()
    await eventually('the metrics to say that the database is down', async () => {
      const { status, text } = await service.request('GET', '/metrics')
      assert.equal(status, 200)
      return text.includes('\nrollcall_database_up 0\n')
    })
    assertMetricsOfOutage(await service.request('GET', '/metrics'))
    network.restore()
  })

  test('requests interrupted by a database crash return 503 and can be repeated', async () => {
    const postgres = shared()
    await using service = await startTestService(postgres.database)
    const idp = idpOf(service, await service.createDirectory())
    await using lock = await lockDirectories(postgres.database)
    const responses = Promise.all(names('user', 16).map((userName) => idp.send('POST', '/Users', { userName })))
    await eventually('the requests to reach the database', lock.isWaitedFor)
    await postgres.crash()
    assert.deepEqual([...new Set((await responses).map(({ status }) => status))], [503])

    await postgres.start()
    await eventually('/readyz', async () => (await service.request('GET', '/readyz')).status === 200)
    await idp.createUsers(names('user', 16))
  })

  test('a database restart during provisioning loses nothing that was acknowledged', async (t) => {
    const postgres = shared()
    await using receiver = await startReceiver()
    await using service = await startTestService(postgres.database)
    const { directory, idp, events } = await connect(service, receiver)
    let acknowledged = 0
    const half = Promise.withResolvers<void>()
    const provision = async (userName: string) => {
      const status = await createWithRetries(idp, userName)
      acknowledged += 1
      if (acknowledged === 100) half.resolve()
      return status
    }
    const userNames = names('user', 64 * 6)
    const workers = Array.from({ length: 64 }, async (_, worker) => {
      const statuses: number[] = []
      for (let n = worker; n < userNames.length; n += 64) statuses.push(await provision(userNames[n] ?? ''))
      return statuses
    })
    await half.promise
    await postgres.stop()
    t.diagnostic(`${acknowledged} acknowledged when the server had stopped`)
    assert.equal((await service.request('GET', '/readyz')).status, 503)
    await postgres.start()
    await eventually('/readyz', async () => (await service.request('GET', '/readyz')).status === 200)

    // 409: the request was executed, only its response was lost
    const statuses = new Set((await Promise.all(workers)).flat())
    assert.deepEqual(
      [...statuses].filter((status) => status !== 201 && status !== 409),
      [],
    )
    const read = await replicaRead(service, directory)
    const found = (read.users as { raw: { userName: string } }[]).map(({ raw }) => raw.userName)
    assert.deepEqual(found.sort(), userNames.toSorted())
    assert.deepEqual(replicaFrom(await events()), read)
  })

  test('events wait while the database is down and are delivered when it is back', async () => {
    const postgres = shared()
    await using receiver = await startReceiver()
    await using service = await startTestService(postgres.database)
    const { directory, idp } = await connect(service, receiver)
    const answerAll = receiver.hold()
    await idp.createUsers(names('user', 20))
    await receiver.until(() => receiver.waiting() === 1, 'the first delivery')
    await postgres.stop()
    answerAll()
    await postgres.start()
    await receiver.until(() => receiver.events(directory.id).at(-1)?.sequence === 20, 'the last event')
    assert.equal(withoutRepeats(receiver.events(directory.id)).length, 20)
  })
})

/** Checks that errors of the database are logged without stacks, and at most once a second for each message. */
function assertShort(log: readonly LogLine[]): void {
  const errors = log.filter((line) => 'err' in line)
  assert(errors.length > 0)
  assert.deepEqual(
    errors.filter(({ err }) => JSON.stringify(err).includes('"stack"')),
    [],
  )
  for (const [message, lines] of Map.groupBy(errors, ({ msg }) => msg)) {
    const times = lines.map(({ time }) => Date.parse(String(time)))
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    assert(Math.min(1000, ...pauses) > 990, `"${message}" is logged once a second`)
  }
}

/** Checks that a scrape has the metrics of the process, and leaves out those that only the database knows. */
function assertMetricsOfOutage({ status, text }: Answer): void {
  assert.equal(status, 200)
  assert.match(text, /^process_open_fds \d+$/m)
  assert.match(text, /^rollcall_database_up 0$/m)
  assert.match(text, /^rollcall_database_connections_waiting\{pool="provisioning"\} \d+$/m)
  assert.doesNotMatch(text, /^rollcall_(events_undelivered|held_directories|deprovisioning_overdue)\b.* \d+$/m)
}

/** Locks every directory against writes until it is disposed of or the server ends. */
async function lockDirectories({ env }: TestDatabase) {
  const open = async () => {
    const client = new Client({ connectionString: env['DATABASE_URL'] })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const [holder, watcher] = [await open(), await open()]
  await holder.query('begin; select from directory_state for update')
  return {
    /** Whether a transaction waits for the lock. */
    async isWaitedFor(): Promise<boolean> {
      const { rowCount } = await watcher.query("select from pg_stat_activity where wait_event_type = 'Lock'")
      return rowCount !== null && rowCount > 0
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([holder.end(), watcher.end()])
    },
  }
}
