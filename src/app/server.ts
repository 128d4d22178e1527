import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Management } from '../admin/management.ts'
import { openManagement } from '../admin/management.ts'
import { schedule } from '../concurrency/schedule.ts'
import { batchMode } from '../delivery/batch-settings.ts'
import { newId } from '../directory/new-id.ts'
import { createApp } from '../http/app.ts'
import { createMetrics } from '../http/metrics.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createService } from './service.ts'
import type { Settings } from './settings.ts'

/** A service that listens. */
export interface RunningServer {
  /** Where it is reached: `EXTERNAL_URL`, else this machine and the port. */
  readonly baseUrl: string
  /** The key that was made at first start; undefined when keys are configured, which are nobody's to print. */
  readonly firstApiKey: string | undefined
  /** Takes no more requests, finishes those and the deliveries in flight, then closes the database. */
  close(): Promise<void>
}

/**
 * Starts the service that the settings describe; it answers when this resolves.
 *
 * @throws Error in words for the operator when the database or the port cannot be had
 */
export async function startServer(settings: Settings, log: Logger): Promise<RunningServer> {
  const store = await openStore({
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.ENCRYPTION_KEY,
    poolSize: settings.DATABASE_POOL_SIZE,
    onBackgroundError: (error) => log.error({ err: error }, 'work in the background failed'),
  })
  const management = await openManagementOf(store, settings, log)
  const metrics = createMetrics()
  let baseUrl = settings.EXTERNAL_URL?.replace(/\/+$/, '') ?? ''
  const service = createService({
    store,
    externalUrl: () => baseUrl,
    webhook: {
      timeoutMs: settings.DSYNC_WEBHOOK_TIMEOUT,
      blockPrivate: settings.DSYNC_WEBHOOK_BLOCK_PRIVATE,
      olderSignatureHeader: settings.DSYNC_WEBHOOK_SIGNATURE_HEADER,
      batch: batchMode(settings.DSYNC_WEBHOOK_BATCH_SIZE, settings.DSYNC_WEBHOOK_BATCH_CRON_INTERVAL),
    },
    audited: management.audit.audited,
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    deliveryLogDays: settings.DSYNC_WEBHOOK_LOGS_TTL,
    extdir: {
      clientId: settings.DSYNC_EXTDIR_CLIENT_ID,
      clientSecret: settings.DSYNC_EXTDIR_CLIENT_SECRET,
      authUrl: settings.DSYNC_EXTDIR_AUTH_URL,
      tokenUrl: settings.DSYNC_EXTDIR_TOKEN_URL,
      apiUrl: settings.DSYNC_EXTDIR_API_URL,
      maxDeletePercent: settings.DSYNC_EXTDIR_MAX_DELETE_PERCENT,
      intervalMs: settings.DSYNC_EXTDIR_CRON_INTERVAL * 1000,
    },
    log,
    observer: metrics.observer,
  })
  try {
    metrics.watchStreams(store)
    const { SCIM_BODY_LIMIT: scimBodyLimit, SCIM_RATE_LIMIT: scimRateLimit } = settings
    const { TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins } = settings
    const limits = { scimBodyLimit, scimRateLimit }
    const app = await createApp({ service, management, metrics, ...limits, trustProxy, corsOrigins }, log)
    await app.listen({ host: settings.HOST, port: settings.PORT })
    if (baseUrl === '') baseUrl = `http://localhost:${portOf(app.server.address())}`
    service.start()
    management.start()
    const close = async () => {
      await closeApp(app)
      await management.close()
      await service.close()
    }
    return { baseUrl, firstApiKey: management.firstKey, close }
  } catch (error) {
    await management.close()
    await service.close()
    throw inWords(error, settings)
  }
}

/** @throws Error when the database cannot be had */
async function openManagementOf(store: Store, settings: Settings, log: Logger): Promise<Management> {
  try {
    return await openManagement({
      ...{ store, newId, clock: Date.now, schedule, log },
      rootToken: settings.ADMIN_ROOT_TOKEN,
      apiKeys: settings.API_KEYS,
      auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    })
  } catch (error) {
    await store.close()
    throw error
  }
}

/** How long a reader who takes nothing of a long answer may delay a stop, in milliseconds. */
const closeTimeoutMs = 30_000

/** Finishes the requests in flight. Their connections close as they become idle: clients would keep them alive. */
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

function inWords(error: unknown, { PORT, HOST }: Settings): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${PORT} is in use: stop what listens there, or set PORT to another.`, { cause: error })
  }
  if (error.code === 'EACCES')
    return new Error(`Port ${PORT} on ${HOST} needs more rights: set PORT to another.`, { cause: error })
  return error
}
