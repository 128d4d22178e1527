import { openEmbedded } from '../../app/embedded.ts'
import { callbackPath as ownCallbackPath } from '../../google/authorization/consent.ts'
import type { RollcallOptions } from '../../library/options.ts'
import { createControllers, toPolisEvent } from './controllers.ts'
import { PolisError } from './response.ts'
import type { EventCallback } from './types.ts'

/** The options of Polis' library that concern directory sync. Others are accepted and ignored. */
export interface JacksonOption {
  externalUrl: string
  /** The path of the product's SCIM routes. Default: `/api/scim/v2.0`. */
  scimPath?: string | undefined
  db: {
    /** `sql` or `mem`. */
    engine?: string | undefined
    /** `postgres` or `sqlite`. */
    type?: string | undefined
    url?: string | undefined
    /** 32 characters, or 32 bytes in base64. */
    encryptionKey?: string | undefined
  }
  dsync?: {
    webhookBatchSize?: number | undefined
    webhookBatchCronInterval?: number | undefined
    providers?: { google?: GoogleProvider } | undefined
    /** Receives every event in order; an event is repeated until this does not throw. */
    callback?: EventCallback | undefined
  }
  setupLinkExpiryDays?: number | undefined
  logger?: { [level in 'info' | 'warn' | 'error']?: (message: string, details?: object) => void }
  /** Options of `createRollcall`, which take precedence. */
  rollcall?: Partial<RollcallOptions>
  readonly [other: string]: unknown
}

interface GoogleProvider {
  clientId: string
  clientSecret: string
  /** The product's own route that calls `generateAuthorizationUrl`. Default: that of Rollcall, with a token. */
  authorizePath?: string | undefined
  /** The product's own route that Google redirects to. Default: `/api/scim/oauth/callback`. */
  callbackPath?: string | undefined
  cronInterval?: number | undefined
}

/**
 * Opens Rollcall's library with the options, the controllers and the answers of Polis' library.
 *
 * @throws Error when an option is missing or the database cannot be opened
 */
export async function controllers(options: JacksonOption): Promise<SAMLJackson> {
  const { authorizePath, callbackPath } = googlePaths(options)
  const { service, rollcall } = await openEmbedded(rollcallOptions(options))
  return createControllers({
    ...{ service, rollcall },
    google: { authorizationUrl: authorizePath && service.externalUrl() + authorizePath, callbackPath },
    scimPath: (options.scimPath ?? '/api/scim/v2.0').replace(/(?<!\/)\/+$/, ''),
    setupLinkExpiryDays: options.setupLinkExpiryDays ?? 3,
  })
}

export type SAMLJackson = ReturnType<typeof createControllers>

/** The options of `createRollcall` that mean the same. */
function rollcallOptions({ externalUrl, db, dsync = {}, logger, rollcall }: JacksonOption): RollcallOptions {
  const { webhookBatchSize, webhookBatchCronInterval, providers, callback } = dsync
  const { clientId, clientSecret, cronInterval } = providers?.google ?? {}
  return {
    externalUrl,
    databaseUrl: rollcall?.databaseUrl ?? databaseUrlOf(db),
    encryptionKey: encryptionKeyOf(db.encryptionKey),
    webhook: { batchSize: webhookBatchSize, batchInterval: webhookBatchCronInterval },
    extdir: { clientId, clientSecret, cronInterval },
    onEvent: callback && ((event) => callback(toPolisEvent(event))),
    log: logger && {
      info: (details, message) => logger.info?.(message, details),
      warn: (details, message) => logger.warn?.(message, details),
      error: (details, message) => logger.error?.(message, details),
    },
    polisCompat: true,
    ...rollcall,
  }
}

/**
 * The product's own routes for the consent of Google.
 *
 * @throws PolisError for a path without a slash at its beginning
 */
function googlePaths({ dsync }: JacksonOption) {
  const { authorizePath, callbackPath = ownCallbackPath } = dsync?.providers?.google ?? {}
  for (const [name, path] of Object.entries({ authorizePath, callbackPath })) {
    if (path === undefined || path.startsWith('/')) continue
    throw new PolisError(`dsync.providers.google.${name} must begin with a slash: it follows externalUrl.`, 400)
  }
  return { authorizePath, callbackPath }
}

/** @throws PolisError for a database that Rollcall does not store in */
function databaseUrlOf({ engine = 'sql', type = 'postgres', url = '' }: JacksonOption['db']): string {
  if (engine === 'mem') return 'sqlite::memory:'
  if (engine === 'sql' && type === 'postgres') return url
  if (engine === 'sql' && type === 'sqlite')
    return url.startsWith('sqlite:') ? url : `sqlite:${url.replace(/^file:(\/\/)?/, '')}`
  const name = engine === 'sql' ? type : engine
  throw new PolisError(
    `Rollcall does not store in ${name}: set rollcall.databaseUrl to PostgreSQL or SQLite, and import.`,
    500,
  )
}

/** The key in base64; Polis takes a text of 32 characters as its bytes. */
function encryptionKeyOf(key: string | undefined): string | undefined {
  return key?.length === 32 ? Buffer.from(key, 'latin1').toString('base64') : key
}
