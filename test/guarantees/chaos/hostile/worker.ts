/**
 * Runs the loops of all hostile tenants in a thread of their own, so that they do not delay the requests of the others.
 */
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import type { Client } from '../../../support/client.ts'
import { openClient } from '../../../support/client.ts'
import { attacks } from './attacks.ts'
import type { HostileCounts, HostileTenant } from './loop.ts'
import { runLoop } from './loop.ts'

/** The input of the worker. */
export interface WorkerData {
  readonly tenants: readonly HostileTenant[]
  readonly apiKey: string
}

/** Messages to the worker: the addresses of the processes, or the end of the run. */
export type WorkerMessage = { readonly origins: readonly string[] } | 'over'

const port = parentPort ?? assert.fail('this file is a worker')
const { tenants, apiKey } = workerData as WorkerData
const clients = new Map<string, Client>()
const counts: HostileCounts = { accepted: 0, rejected: 0, unavailable: 0, unanswered: 0 }
let isOver = false

port.on('message', (message: WorkerMessage) => {
  if (message === 'over') isOver = true
  else useOrigins(message.origins)
})

port.postMessage('ready')

function useOrigins(origins: readonly string[]): void {
  for (const [origin, client] of clients) {
    if (origins.includes(origin)) continue
    clients.delete(origin)
    void client[Symbol.asyncDispose]()
  }
  for (const origin of origins) if (!clients.has(origin)) clients.set(origin, openClient(origin, apiKey))
}

function pick(): Client | undefined {
  return [...clients.values()][Math.floor(Math.random() * clients.size)]
}

const loops = tenants.flatMap(({ kind, directories }) => {
  const attack = attacks[kind]
  const count = Math.min(attack.loops, directories.length)
  return Array.from({ length: count }, (_, index) => {
    const own = directories.filter((_, number) => number % count === index)
    return runLoop({ attack, directories: own, pick, counts, isOver: () => isOver })
  })
})
await Promise.all(loops)
port.postMessage(counts)
port.close()
