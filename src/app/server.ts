import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createApp } from '../http/app.ts'
import { isConsoleBuilt } from '../http/console/pages.ts'
import { createMetrics } from '../http/metrics.ts'
import { untrustedProxy } from '../http/untrusted-proxy.ts'
import { httpOptions } from './http-options.ts'
import { listening } from './listen-errors.ts'
import { openService } from './open-service.ts'
import type { ServiceOptions } from './service-options.ts'
import type { Settings } from './settings.ts'
import { isBehindUntrustedProxy } from './settings.ts'
import type { SideServers } from './side-servers.ts'
import { openSideServers } from './side-servers.ts'
import type { WaitOptions } from './wait-for-database.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** A listening service. */
export interface RunningServer {
  /** `EXTERNAL_URL`, or `http://localhost:<port>` when that is unset. */
  readonly baseUrl: string
  /** The API key that was generated at the first start; undefined when `API_KEYS` is set. */
  readonly firstApiKey: string | undefined
  /**
   * Makes a link that signs in to the console: once, within ten minutes. Undefined on PostgreSQL, where another process
   * may receive the request.
   */
  signInLink(): string | undefined
  /** Whether the console exists: an installation without development dependencies cannot build it. */
  readonly hasConsole: boolean
  /** Answers requests for `DRAIN_SECONDS` while `/readyz` answers 503, so that a proxy sends new ones elsewhere. */
  drain(): Promise<void>
  /** Accepts no more requests, finishes those and the deliveries in flight, then closes the database. */
  close(): Promise<void>
}

/** Options of a start, where the defaults are too slow. */
export type StartOptions = Pick<ServiceOptions, 'hashing'> & Pick<WaitOptions, 'signal' | 'patienceMs'>

/**
 * Starts the service, which accepts requests when this resolves. Waits for its database.
 *
 * @throws Error with a message for the operator when the database cannot be opened or the port is in use
 */
export async function startServer(
  settings: Settings,
  log: Logger,
  { hashing, ...waiting }: StartOptions = {},
): Promise<RunningServer> {
  const metrics = createMetrics()
  let baseUrl = settings.EXTERNAL_URL ?? ''
  const options = { settings, externalUrl: () => baseUrl, log, observer: metrics.observer, hashing }
  const service = await waitForDatabase(() => openService(options), { ...waiting, log })
  const { firstKey, console } = service.management
  const isEmbedded = settings.DATABASE_URL.startsWith('sqlite:')
  const signInLink = () => (isEmbedded ? `${baseUrl}/console#code=${console.createCode()}` : undefined)
  let sideServers: SideServers | undefined
  let isDraining = false
  const closeParts = async () => {
    await sideServers?.close()
    await service.close()
  }
  try {
    sideServers = await openSideServers({ ...service, signInLink }, metrics, settings, log)
    metrics.watchDatabase(service)
    const parts = { service, management: service.management, metrics, isDraining: () => isDraining }
    const app = await createApp({ ...parts, ...(await httpOptions(settings)) }, log)
    const { HOST: host, PORT: port } = settings
    await listening(app.listen({ host, port }), { setting: 'PORT', host, port })
    if (baseUrl === '') baseUrl = `http://localhost:${portOf(app.server.address())}`
    service.start()
    if (isBehindUntrustedProxy(settings)) log.warn(untrustedProxy)
    const drain = async () => {
      isDraining = true
      await pause(settings.DRAIN_SECONDS * 1_000)
    }
    const close = async () => {
      await closeApp(app)
      await closeParts()
    }
    return { baseUrl, firstApiKey: firstKey, signInLink, hasConsole: await isConsoleBuilt(), drain, close }
  } catch (error) {
    await closeParts()
    throw error
  }
}

/** Time that a client that does not read its response may delay the shutdown, in milliseconds. */
export const closeTimeoutMs = 30_000

/** Finishes the requests in flight and closes each keep-alive connection once it is idle. */
async function closeApp(app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const end = setTimeout(() => app.server.closeAllConnections(), closeTimeoutMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(end)
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
