import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../support/client.ts'
import { openClient } from '../../support/client.ts'
import type { ServiceProcess, TestDatabase } from '../../support/service.ts'
import { startServiceProcess, testApiKey } from '../../support/service.ts'
import type { SteppedClock } from '../../support/shifted-clock.ts'
import { createSteppedClock } from '../../support/shifted-clock.ts'
import type { Network } from '../support/network.ts'
import { startNetwork } from '../support/network.ts'
import { now } from './clock.ts'
import { tryMs } from './patient-client.ts'

/** A period in which a process was suspended by SIGSTOP, or had no network to the database. */
export interface Stop {
  readonly process: string
  readonly kind: 'suspended' | 'disconnected'
  readonly from: number
  readonly to: number
}

/** Several processes of the service on one database. */
export interface Fleet extends AsyncDisposable {
  /**
   * One of the processes, chosen like by a load balancer: a suspended one only if there is no other. `choice` is from 0
   * to 1.
   */
  pick(choice: number): Client
  /** The addresses of the processes. */
  origins(): string[]
  /** Kills a process, preferably not the only running one, and starts another in its place. */
  kill(choice: number): Promise<void>
  /** Suspends a running process for `forMs`, unless it is the only one. */
  stop(choice: number, forMs: number): Promise<void>
  /** Cuts a running process off from the database for `forMs`, without closing its connections. */
  disconnect(choice: number, forMs: number): Promise<void>
  /** Delays everything between a running process and the database for `forMs`. */
  slowDown(choice: number, forMs: number): Promise<void>
  /** Sets the clock of a process ahead or back by so much for `forMs`. */
  stepClock(choice: number, aheadMs: number, forMs: number): Promise<void>
  /** Resumes all processes, and waits for those that are starting. */
  settle(): Promise<void>
  readonly kills: readonly string[]
  readonly stops: readonly Stop[]
}

interface Member {
  readonly name: string
  readonly service: ServiceProcess
  /** Aborts requests, so that they do not wait for a suspended process. */
  readonly client: Client
  /** The network between the process and the database. */
  readonly network: Network
  readonly clock: SteppedClock
  /** Resumes a suspended process. */
  resume?: (() => void) | undefined
}

/**
 * The prefix of the header that identifies the sending process: each uses its own name for the second signature header.
 */
export const senderHeader = 'x-sent-by-'

/** A busy machine and a failover may together take a minute. */
const startTriesMs = 180_000

/** The delay of a slow network in each direction, in milliseconds. */
const slowNetworkMs = 100

export async function startFleet(
  database: TestDatabase,
  size: number,
  settings: Readonly<Record<string, string>>,
): Promise<Fleet> {
  const databaseUrl = database.env['DATABASE_URL'] ?? ''
  const members: Member[] = []
  const starting = new Set<Promise<void>>()
  const kills: string[] = []
  const stops: Stop[] = []
  let started = 0
  let isOver = false

  /** Starts a process, retrying while the database is down. */
  async function start(): Promise<void> {
    started += 1
    const name = String(started)
    const until = now() + startTriesMs
    for (;;) {
      try {
        const header = { DSYNC_WEBHOOK_SIGNATURE_HEADER: `${senderHeader}${name}` }
        await using starting = new AsyncDisposableStack()
        const network = starting.use(await startNetwork(databaseUrl))
        const clock = starting.use(await createSteppedClock())
        const through = { DATABASE_URL: network.url, ...clock.env }
        const service = starting.use(await startServiceProcess(database, { ...settings, ...header, ...through }))
        const client = starting.use(openClient(service.origin, testApiKey, tryMs))
        if (isOver) return
        starting.move()
        members.push({ name, service, client, network, clock })
        return
      } catch (error) {
        if (isOver || now() > until) throw error
        await pause(100)
      }
    }
  }

  async function end({ service, client, network, clock }: Member): Promise<void> {
    await client[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    await network[Symbol.asyncDispose]()
    await clock[Symbol.asyncDispose]()
  }

  function startNext(): Promise<void> {
    const begun = start().finally(() => starting.delete(begun))
    begun.catch(() => {})
    starting.add(begun)
    return begun
  }

  const listRunning = () => members.filter(({ resume }) => resume === undefined)

  function chosen(from: readonly Member[], choice: number): Member {
    const member = from[Math.floor(choice * from.length)]
    if (member === undefined) throw new Error('there is no process')
    return member
  }

  /** Leaves no process behind if the run ends early. */
  const killAll = () => {
    for (const { service } of members) void service.kill('SIGKILL')
  }
  process.once('exit', killAll)
  await Promise.all(Array.from({ length: size }, startNext))
  return {
    kills,
    stops,
    pick(choice) {
      const running = listRunning()
      return chosen(running.length > 0 ? running : members, choice).client
    },
    origins: () => members.map(({ service }) => service.origin),
    async kill(choice) {
      if (members.length === 1) await Promise.all(starting)
      const running = listRunning()
      const member = chosen(running.length > 1 ? running : members, choice)
      members.splice(members.indexOf(member), 1)
      kills.push(member.name)
      // Before anything is awaited: the next kill waits for it if this leaves one process.
      startNext()
      await member.service.kill('SIGKILL')
      member.resume?.()
      await end(member)
    },
    async stop(choice, forMs) {
      const running = listRunning()
      if (running.length < 2) return
      const member = chosen(running, choice)
      const from = now()
      const resumed = Promise.withResolvers<void>()
      member.resume = resumed.resolve
      process.kill(member.service.pid, 'SIGSTOP')
      await Promise.race([resumed.promise, pause(forMs)])
      if (!kills.includes(member.name)) process.kill(member.service.pid, 'SIGCONT')
      member.resume = undefined
      stops.push({ process: member.name, kind: 'suspended', from, to: now() })
    },
    async disconnect(choice, forMs) {
      const member = chosen(members, choice)
      const from = now()
      member.network.lose()
      await pause(forMs)
      member.network.restore()
      stops.push({ process: member.name, kind: 'disconnected', from, to: now() })
    },
    async slowDown(choice, forMs) {
      const { network } = chosen(members, choice)
      network.delayBy(slowNetworkMs)
      await pause(forMs)
      network.delayBy(0)
    },
    async stepClock(choice, aheadMs, forMs) {
      const { clock, service } = chosen(members, choice)
      clock.step(service.pid, aheadMs)
      await pause(forMs)
      clock.step(service.pid, 0)
    },
    async settle() {
      for (const { resume } of members) resume?.()
      await Promise.all(starting)
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      process.off('exit', killAll)
      await Promise.allSettled(starting)
      await Promise.all(members.map(end))
    },
  }
}
