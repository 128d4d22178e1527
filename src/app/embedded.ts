import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { rejectUnknownOptions } from '../library/option-names.ts'
import type { RollcallOptions } from '../library/options.ts'
import type { Rollcall } from '../library/rollcall.ts'
import { rollcallCalls } from '../library/rollcall.ts'

import { httpOptions } from './http-options.ts'
import { openService } from './open-service.ts'
import type { Service } from './service.ts'
import type { ServiceLog } from './service-options.ts'
import { unobserved } from './service-options.ts'
import { Invalid } from './setting-kinds.ts'
import type { Settings } from './settings.ts'
import { settingTable, withDefaults } from './settings.ts'
import { stderrLog } from './stderr-log.ts'
import type { WebHandler } from './web-handler.ts'
import { createNodeListener, createWebHandler } from './web-handler.ts'

/**
 * Opens the database and starts the delivery of events, without an HTTP server.
 *
 * @throws Error when a required option is missing, an option is unknown, or the database cannot be opened
 */
export async function createRollcall(options: RollcallOptions): Promise<EmbeddedRollcall> {
  return (await openEmbedded(options)).rollcall
}

/** The library, and the parts that it calls. */
export interface Embedded {
  readonly service: Service
  readonly rollcall: EmbeddedRollcall
}

/** Like `createRollcall`. */
export async function openEmbedded(options: RollcallOptions): Promise<Embedded> {
  const externalUrl = externalUrlOf(options)
  rejectUnknownOptions(options)
  rejectInvalid(options)
  const { onEvent } = options
  const log = options.log ?? stderrLog
  const settings = settingsOf(options)
  const service = await openService({
    ...{ settings, externalUrl: () => externalUrl, onEvent, log, observer: unobserved },
  })
  service.start()
  const http = createEmbeddedHttp(service, settings, log)
  const close = async () => {
    await http.close()
    await service.close()
  }
  return { service, rollcall: { ...rollcallCalls({ ...service, close }), fetch: http.fetch, listener: http.listener } }
}

/** The library with every route of the service. */
export interface EmbeddedRollcall extends Rollcall {
  /**
   * Handles a request with the routes of the service: SCIM, the directory-sync API, the admin API and the pages. Mount
   * it at the path of `externalUrl`. The HTTP framework is loaded by the first call.
   */
  readonly fetch: WebHandler
  /**
   * The same for a Node.js server: `http.createServer(rollcall.listener)`, or `app.use('/rollcall', rollcall.listener)`
   * in Express. It responds to every request that it gets, so mount it at a path of its own.
   */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
}

/** The HTTP routes of an open service, without a port. */
function createEmbeddedHttp(service: Service, settings: Settings, log: ServiceLog) {
  let opened: Promise<FastifyInstance> | undefined
  async function open(): Promise<FastifyInstance> {
    const [{ createApp }, { createMetrics }] = await Promise.all([
      import('../http/app.ts'),
      import('../http/metrics.ts'),
    ])
    const context = {
      service,
      management: service.management,
      metrics: createMetrics(),
      ...(await httpOptions(settings)),
    }
    const app = await createApp(context, httpLog(log))
    await app.ready()
    return app
  }
  const openOnce = () => (opened ??= open())
  return {
    fetch: createWebHandler(openOnce),
    listener: createNodeListener(openOnce),
    async close(): Promise<void> {
      await (await opened)?.close()
    },
  }
}

/** Checks the option at run time, because products in JavaScript have no types. */
function externalUrlOf(options: Partial<RollcallOptions> = {}): string {
  const { externalUrl = '' } = options ?? {}
  if (typeof externalUrl === 'string' && /^https?:\/\/[^/]/i.test(externalUrl) && URL.canParse(externalUrl)) {
    const parsed = settingTable.EXTERNAL_URL.parse(externalUrl)
    if (parsed instanceof Invalid) throw new Error(`externalUrl ${parsed.reason}.`)
    if (parsed !== undefined) return parsed
  }
  throw new Error(
    'createRollcall needs externalUrl, the public address of your SCIM routes, such as https://app.example.com.',
  )
}

/** The logger of the routes: the product receives warnings and errors, not a line for each request. */
function httpLog(log: ServiceLog): FastifyBaseLogger {
  const nothing = () => {}
  const warn = (details: object | string, message = '') => log.warn(asDetails(details), message)
  const error = (details: object | string, message = '') => log.error(asDetails(details), message)
  const logger: FastifyBaseLogger = {
    ...{ level: 'warn', silent: nothing, trace: nothing, debug: nothing, info: nothing },
    ...{ warn, error, fatal: error, child: () => logger },
  }
  return logger
}

function asDetails(details: object | string): object {
  return typeof details === 'string' ? { details } : details
}

function rejectInvalid({ apiKeys = [], webhook: { proxy } = {} }: RollcallOptions): void {
  if (apiKeys.some((key) => key.length < 16)) throw new Error('Each of apiKeys needs at least 16 characters.')
  const parsed = proxy === undefined ? undefined : settingTable.DSYNC_WEBHOOK_PROXY.parse(proxy)
  if (parsed instanceof Invalid) throw new Error(`webhook.proxy ${parsed.reason}.`)
}

/** Converts the options of the library to the settings of the service. */
function settingsOf({ webhook = {}, extdir = {}, removalLimit = {}, ...options }: RollcallOptions): Settings {
  return withDefaults({
    EXTERNAL_URL: options.externalUrl,
    API_KEYS: options.apiKeys,
    ADMIN_ROOT_TOKEN: options.adminRootToken,
    DATABASE_URL: options.databaseUrl,
    DATABASE_POOL_SIZE: options.databasePoolSize,
    DATABASE_DIRECT_URL: options.databaseDirectUrl,
    ENCRYPTION_KEY: options.encryptionKey,
    DSYNC_WEBHOOK_TIMEOUT: webhook.timeoutMs,
    DSYNC_WEBHOOK_ALLOW_PRIVATE: webhook.allowPrivate,
    DSYNC_WEBHOOK_PROXY: webhook.proxy,
    NO_PROXY: webhook.noProxy,
    DSYNC_WEBHOOK_CONCURRENCY: webhook.concurrency,
    DSYNC_WEBHOOK_SIGNATURE_HEADER:
      webhook.signatureHeader === undefined ? undefined : [webhook.signatureHeader].flat(),
    DSYNC_WEBHOOK_BATCH_SIZE: webhook.batchSize,
    DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: webhook.batchInterval,
    DSYNC_WEBHOOK_LOGS_TTL: webhook.logsTtl,
    DSYNC_EXTDIR_CLIENT_ID: extdir.clientId,
    DSYNC_EXTDIR_CLIENT_SECRET: extdir.clientSecret,
    DSYNC_EXTDIR_AUTH_URL: extdir.authUrl,
    DSYNC_EXTDIR_TOKEN_URL: extdir.tokenUrl,
    DSYNC_EXTDIR_API_URL: extdir.apiUrl,
    DSYNC_EXTDIR_MAX_DELETE_PERCENT: extdir.maxDeletePercent,
    DSYNC_EXTDIR_CRON_INTERVAL: extdir.cronInterval,
    DSYNC_REMOVAL_LIMIT_PERCENT: removalLimit.percent,
    DSYNC_REMOVAL_LIMIT_MINIMUM: removalLimit.minimum,
    DSYNC_REMOVAL_LIMIT_WINDOW: removalLimit.window,
    POLIS_COMPAT: options.polisCompat,
    MAX_DIRECTORIES_PER_TENANT: options.maxDirectoriesPerTenant,
    EVENT_RETENTION_DAYS: options.eventRetentionDays,
    RETURN_WINDOW_DAYS: options.returnWindowDays,
    AUDIT_RETENTION_DAYS: options.auditRetentionDays,
    DEPROVISION_TARGET: options.deprovisionTarget,
    SCIM_RATE_LIMIT: options.scimRateLimit,
    SCIM_REQUEST_LOG_TTL: options.scimRequestLogTtl,
    SCIM_REQUEST_LOG_MAX: options.scimRequestLogMax,
  })
}
