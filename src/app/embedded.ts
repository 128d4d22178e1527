import { silentLogger, silentObserver } from '../delivery/observer.ts'
import { rejectUnknownOptions } from '../library/option-names.ts'
import type { RollcallOptions } from '../library/options.ts'
import type { Rollcall } from '../library/rollcall.ts'
import { rollcallCalls } from '../library/rollcall.ts'
import type { ServiceLog } from './core.ts'
import { openService } from './service.ts'
import type { Settings } from './settings.ts'
import { withDefaults } from './settings.ts'

const noLog: ServiceLog = { ...silentLogger, info: () => {} }
const noObserver = { ...silentObserver, membersSkipped: () => {}, syncRunEnded: () => {}, requestsDropped: () => {} }

/**
 * Opens the database and starts the delivery of events, without an HTTP server.
 *
 * @throws Error when a required option is missing, an option is unknown, or the database cannot be opened
 */
export async function createRollcall(options: RollcallOptions): Promise<Rollcall> {
  const externalUrl = externalUrlOf(options)
  rejectUnknownOptions(options)
  const { onEvent, log = noLog } = options
  const settings = settingsOf(options)
  const service = await openService({
    ...{ settings, externalUrl: () => externalUrl, onEvent, log, observer: noObserver },
  })
  service.start()
  return rollcallCalls(service)
}

/** Checked here, because products in JavaScript have no types. */
function externalUrlOf(options: Partial<RollcallOptions> = {}): string {
  const { externalUrl = '' } = options ?? {}
  if (typeof externalUrl === 'string' && /^https?:\/\/[^/]/i.test(externalUrl) && URL.canParse(externalUrl)) {
    return externalUrl.replace(/\/+$/, '')
  }
  throw new Error(
    'createRollcall needs externalUrl, the public address of your SCIM routes, such as https://app.example.com.',
  )
}

/** The settings of the service by the options of the library. */
function settingsOf({ webhook = {}, extdir = {}, ...options }: RollcallOptions): Settings {
  return withDefaults({
    DATABASE_URL: options.databaseUrl,
    DATABASE_POOL_SIZE: options.databasePoolSize,
    DATABASE_DIRECT_URL: options.databaseDirectUrl,
    ENCRYPTION_KEY: options.encryptionKey,
    DSYNC_WEBHOOK_TIMEOUT: webhook.timeoutMs,
    DSYNC_WEBHOOK_ALLOW_PRIVATE: webhook.allowPrivate,
    DSYNC_WEBHOOK_SIGNATURE_HEADER: webhook.signatureHeader,
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
    MAX_DIRECTORIES_PER_TENANT: options.maxDirectoriesPerTenant,
    EVENT_RETENTION_DAYS: options.eventRetentionDays,
    AUDIT_RETENTION_DAYS: options.auditRetentionDays,
  })
}
