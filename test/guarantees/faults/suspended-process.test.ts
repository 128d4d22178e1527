import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { execute } from '../../support/postgres.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { startServiceProcess } from '../../support/service.ts'
import { eventsUntilNow } from '../support/deliveries.ts'
import { addMember, idpOf, names, patchBody } from '../support/idp.ts'
import { startNetwork } from '../support/network.ts'

/**
 * The number of suspensions of the process, and of losses of its network; `SUSPENSIONS=20 NETWORK_LOSSES=10` tries
 * more.
 */
const suspensions = Number(process.env['SUSPENSIONS'] ?? 2)
const networkLosses = Number(process.env['NETWORK_LOSSES'] ?? 1)

/** The number of connections per process: the pools of `DATABASE_POOL_SIZE=4`, and the one that listens for notices. */
const connectionsPerProcess = 5

/** A directory under load, and its acknowledged writes. */
interface Subject {
  readonly directory: DirectoryView
  readonly groupId: string
  readonly acknowledged: string[]
  /** The statuses of all responses. */
  readonly statuses: Set<number>
}

async function createSubject(client: Client, fields: Readonly<Record<string, unknown>>): Promise<Subject> {
  const directory = await client.createDirectory(fields)
  const groupId = await idpOf(client, directory).createGroup('Everyone')
  return { directory, groupId, acknowledged: [], statuses: new Set() }
}

/** Creates users and makes them members of a group, until `signal` aborts. */
async function provision(client: Client, subject: Subject, prefix: string, signal: AbortSignal): Promise<void> {
  const { send } = idpOf(client, subject.directory)
  for (let n = 0; !signal.aborted; n += 1) {
    const userName = `${prefix}-${n}`
    const { status, body } = await send('POST', '/Users', { userName })
    subject.statuses.add(status)
    if (status === 201) {
      subject.acknowledged.push(userName)
      const added = await send('PATCH', `/Groups/${subject.groupId}`, patchBody([addMember(body.id)]))
      subject.statuses.add(added.status)
    }
    await pause(20)
  }
}

/** Creates a user, retrying while the database is not available. */
async function createUser(client: Client, { directory }: Subject, userName: string): Promise<void> {
  const { send } = idpOf(client, directory)
  await eventually(`the user ${userName} to be created`, async () => {
    const { status } = await send('POST', '/Users', { userName })
    return status === 201 || status === 409
  })
}

test('postgres: a process that is suspended or loses its network delays no other process', async (t) => {
  await using database = await openTestDatabase('postgres')
  const url = database.env['DATABASE_URL'] ?? assert.fail()
  await using network = await startNetwork(url)
  await using receiver = await startReceiver()
  await using healthy = await startServiceProcess(database)
  await using faulty = await startServiceProcess(database, { DATABASE_URL: network.url })
  const subjectsOf = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createSubject(healthy, receiver.endpoint)))
  const [shared, others] = [await subjectsOf(4), await subjectsOf(4)]

  const ending = new AbortController()
  const { signal } = ending
  const load = Promise.all([
    ...shared.map((subject) => provision(faulty, subject, 'faulty', signal)),
    ...shared.map((subject) => provision(healthy, subject, 'healthy', signal)),
    ...others.flatMap((subject) => ['one', 'two'].map((prefix) => provision(healthy, subject, prefix, signal))),
  ])
  // When a fault fails the test, its error is reported, not that of the interrupted load.
  load.catch(() => {})
  /** Checks that every directory delivers a new event although the faulty process does nothing. */
  const deliveriesGoOn = (fault: string) =>
    Promise.all(
      [...shared, ...others].map(async (subject) => {
        await createUser(healthy, subject, fault)
        const has = (event: ReceivedEvent) => event.data.raw['userName'] === fault
        await receiver.until(() => receiver.events(subject.directory.id).some(has), `the events of ${fault}`)
      }),
    )
  const faults = [
    ...names('suspension', suspensions).map((name) => ({ name, ...suspensionOf(faulty) })),
    ...names('network-loss', networkLosses).map((name) => ({ name, begin: network.lose, end: network.restore })),
  ]
  try {
    for (const { name, begin, end } of faults) {
      await pause(Math.random() * 500)
      const begunAt = performance.now()
      begin()
      try {
        await deliveriesGoOn(name)
      } finally {
        end()
      }
      t.diagnostic(`${name}: everything delivered after ${Math.round(performance.now() - begunAt)} ms`)
      await eventually('the connections to be no more than before', async () => {
        return (await countConnections(url)) <= 2 * connectionsPerProcess
      })
    }
  } finally {
    ending.abort()
  }
  await load

  for (const { statuses } of others) assert.deepEqual([...statuses].toSorted(), [201, 204])
  for (const subject of [...shared, ...others]) await check(subject)

  /** Checks that no acknowledged write is lost, and that the events are complete and in order. */
  async function check({ directory, acknowledged }: Subject): Promise<void> {
    const events = await eventsUntilNow(receiver, directory.id, idpOf(healthy, directory))
    const read = await replicaRead(healthy, directory)
    const last = (user: unknown) => (user as { raw: { userName: string } }).raw.userName.startsWith('last-')
    assert.deepEqual(replicaFrom(events), { ...read, users: read.users.filter((user) => !last(user)) })
    const found = new Set(read.users.map((user) => (user as { raw: { userName: string } }).raw.userName))
    assert.deepEqual(
      acknowledged.filter((userName) => !found.has(userName)),
      [],
    )
  }
})

function suspensionOf({ pid }: ServiceProcess): { begin(): void; end(): void } {
  return { begin: () => process.kill(pid, 'SIGSTOP'), end: () => process.kill(pid, 'SIGCONT') }
}

/** The connections to the database, without the one that counts. */
async function countConnections(url: string): Promise<number> {
  const text = 'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  return (await execute(url, text)).length
}
