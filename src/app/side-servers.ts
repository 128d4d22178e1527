import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { probeEndpoints } from '../delivery/endpoint/probe.ts'
import { systemCaller } from '../directory/audit.ts'
import { isConsoleBuilt } from '../http/console/pages.ts'
import type { LocalServer } from '../http/local-server.ts'
import { startLocalServer } from '../http/local-server.ts'
import type { Metrics } from '../http/metrics.ts'
import type { MetricsServer } from '../http/metrics-server.ts'
import { startMetricsServer } from '../http/metrics-server.ts'
import { databaseFile, socketFile } from '../store/files.ts'
import { listening } from './listen-errors.ts'
import type { Service } from './service.ts'
import type { Settings } from './settings.ts'
import { egressOf } from './settings.ts'

type SideService = Pick<Service, 'store' | 'management' | 'clock' | 'externalUrl'> & {
  /** See `RunningServer`. */
  signInLink(): string | undefined
}

/** The servers beside the main port: for metrics, if they have their own port, and for commands on this machine. */
export interface SideServers {
  close(): Promise<void>
}

/** @throws Error with a message for the operator when `METRICS_PORT` cannot be used */
export async function openSideServers(
  service: SideService,
  metrics: Metrics,
  settings: Settings,
  log: Logger,
): Promise<SideServers> {
  const metricsServer = await openMetricsPort(metrics, settings, log)
  const localServer = await openLocalSocket(service, settings, log)
  return {
    async close() {
      await Promise.all([metricsServer?.close(), localServer?.close()])
    },
  }
}

/** Undefined when the metrics are on the main port. */
async function openMetricsPort(
  metrics: Metrics,
  { HOST: host, METRICS_PORT: port }: Settings,
  log: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined
  const opened = await listening(startMetricsServer(metrics, { host, port }), { setting: 'METRICS_PORT', host, port })
  log.info(`/metrics is on port ${(opened.server.address() as AddressInfo).port}`)
  return opened
}

/** Undefined without a database file, and on systems without Unix sockets. */
async function openLocalSocket(
  { store, management, clock, externalUrl, signInLink }: SideService,
  settings: Settings,
  log: Logger,
): Promise<LocalServer | undefined> {
  const file = databaseFile(settings.DATABASE_URL)
  const { backup } = store
  if (file === undefined || backup === undefined || process.platform === 'win32') return undefined
  const caller = systemCaller('rollcall backup')
  const target = { kind: 'service', id: undefined } as const
  const commands = {
    async backup(copy: string) {
      await management.audit.append({ action: 'database.backed_up', caller, target, at: clock.now() })
      await backup(copy)
    },
    ping: () => store.ping(),
    async consoleLink() {
      const link = (await isConsoleBuilt()) ? signInLink() : undefined
      if (link === undefined)
        throw new Error('The console is not built: run npm ci without --omit=dev in the repository.')
      return link
    },
    probeEndpoints: () => probeEndpoints(store, egressOf(settings, externalUrl)),
    onError: (err: unknown) => log.error({ err }, 'a local command failed'),
  }
  return startLocalServer(socketFile(file), commands).catch((err: unknown) => {
    log.warn({ err }, 'rollcall backup, rollcall console-link and rollcall doctor cannot reach this process')
    return undefined
  })
}
