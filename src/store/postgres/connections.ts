import type { Client } from 'pg'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { PoolCounts } from '../store.ts'
import { isConnectionGood, isServerLost, rejectConnection } from './errors.ts'
import { connectionMs, responseMs, unusedMs } from './limits.ts'
import type { Servers } from './servers.ts'
import { watchedSocket } from './servers.ts'

/** A bounded number of connections to the database. */
export interface Connections {
  /**
   * Runs work with a connection of its own.
   *
   * @throws StoreUnavailable when there is none in time
   */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>
  counts(): Omit<PoolCounts, 'pool'>
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

/** A connection of a pool. */
interface Pooled {
  readonly client: Client
  /** That of its servers when it was begun. */
  readonly generation: number
  readonly openedAt: number
  /** Ends it when it is not used; restarted by every use. */
  readonly timer: NodeJS.Timeout
  isOpen: boolean
}

/**
 * Opens a pool of connections. When one of them turns out to lead to a server that is gone or accepts no writes, every
 * connection to these servers is discarded, in this pool and in others.
 *
 * @param maxAgeMs the time after which a connection is replaced
 */
export function openConnections(
  servers: Servers,
  connections: number,
  maxAgeMs: number = Number.POSITIVE_INFINITY,
): Connections {
  const places = createSemaphore(connections)
  /** The connections that nobody uses; the last one is used next. */
  const idle: Pooled[] = []
  let isClosed = false
  servers.onDiscard(endIdle)

  function endIdle(): void {
    for (const pooled of idle.splice(0)) end(pooled)
  }

  async function open(): Promise<Pooled> {
    const generation = servers.generation()
    const client = await servers.connect({ pipeline: true, createSocket: () => watchedSocket(responseMs) })
    const timer = setTimeout(() => endUnused(pooled), unusedMs).unref()
    const pooled: Pooled = { client, generation, openedAt: performance.now(), timer, isOpen: true }
    client.on('error', () => remove(pooled)).on('end', () => remove(pooled))
    return pooled
  }

  function endUnused(pooled: Pooled): void {
    if (!idle.includes(pooled)) return
    remove(pooled)
    end(pooled)
  }

  function remove(pooled: Pooled): void {
    pooled.isOpen = false
    const index = idle.indexOf(pooled)
    if (index !== -1) idle.splice(index, 1)
  }

  function keep(pooled: Pooled): void {
    const isCurrent = pooled.generation === servers.generation() && performance.now() - pooled.openedAt < maxAgeMs
    pooled.timer.refresh()
    if (isCurrent && pooled.isOpen && !isClosed) idle.push(pooled)
    else end(pooled)
  }

  return {
    async use(work) {
      const giveBack = await takePlace().catch(rejectConnection)
      try {
        const pooled = idle.pop() ?? (await open().catch(rejectConnection))
        return await runOn(pooled, work)
      } finally {
        giveBack()
      }
    },
    counts: places.counts,
    async close() {
      isClosed = true
      await Promise.all(Array.from({ length: connections }, () => places.acquire()))
      endIdle()
    },
  }

  async function takePlace(): Promise<() => void> {
    if (isClosed) throw new Error('it was closed')
    const controller = new AbortController()
    const giveUp = () => controller.abort(new Error(`no connection was free within ${connectionMs / 1000} s`))
    const timer = setTimeout(giveUp, connectionMs).unref()
    return places.acquire(controller.signal).finally(() => clearTimeout(timer))
  }

  async function runOn<T>(pooled: Pooled, work: (client: Client) => Promise<T>): Promise<T> {
    try {
      const answer = await work(pooled.client)
      keep(pooled)
      return answer
    } catch (error) {
      if (isConnectionGood(error)) keep(pooled)
      else end(pooled)
      if (isServerLost(error)) servers.discard(pooled.generation)
      throw error
    }
  }
}

function end({ client, timer }: Pooled): void {
  clearTimeout(timer)
  client.end().catch(() => {})
}
