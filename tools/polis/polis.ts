import type { JacksonOption, SAMLJackson } from '@boxyhq/saml-jackson'
import { openPolisHttp } from './http.ts'
import { findRoute } from './routes.ts'

export interface PolisOptions {
  /** `postgres://…`, `cockroachdb://…`, `mysql://…`, `mariadb://…` or `mongodb://…`; its tables are created if missing. */
  readonly databaseUrl: string
  /** Records are stored in plain text without it. */
  readonly encryptionKey?: string | undefined
  /** The base of SCIM endpoints and setup links; by default the address that it listens on. */
  readonly externalUrl?: string | undefined
  /** Events wait in the queue instead of being sent at once. */
  readonly webhookBatchSize?: number | undefined
  /** The maximum of every page, 50 by default as in Polis. */
  readonly pageLimit?: number | undefined
  /** A free port by default. */
  readonly port?: number | undefined
}

/** A Polis that answers SCIM requests and its directory sync API. */
export interface RunningPolis extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly apiKey: string
  /** The library's controllers, for what Polis itself does without a request. */
  readonly controllers: SAMLJackson
}

const apiKey = 'polis-api-key'

/**
 * Starts Polis' published library behind plain HTTP, with the routes that Polis gives it.
 *
 * @throws Error when the library is not installed
 */
export async function startPolis(options: PolisOptions): Promise<RunningPolis> {
  const http = await openPolisHttp(options.port ?? 0)
  try {
    const controllers = await openLibrary(options, options.externalUrl ?? http.url)
    http.serve({ apiKey, respond: (request) => findRoute(request)(controllers, request) })
    return {
      url: http.url,
      apiKey,
      controllers,
      async [Symbol.asyncDispose]() {
        await http.close()
        await controllers.close()
      },
    }
  } catch (error) {
    await http.close()
    throw error
  }
}

async function openLibrary(options: PolisOptions, externalUrl: string): Promise<SAMLJackson> {
  const library = await import('@boxyhq/saml-jackson').catch((cause: unknown) => {
    throw new Error('The library of Polis is not installed: run npm install @boxyhq/saml-jackson', { cause })
  })
  // The library keeps the first database of a process in a global variable, and uses it for all later controllers.
  Reflect.deleteProperty(globalThis, '__jacksonDb')
  return library.controllers({
    externalUrl,
    samlPath: '/api/oauth/saml',
    scimPath: '/api/scim/v2.0',
    noAnalytics: true,
    db: databaseOf(options),
    dsync: {
      ...(options.webhookBatchSize === undefined ? {} : { webhookBatchSize: options.webhookBatchSize }),
      providers: { google: google(externalUrl) },
    },
    logger: { info() {}, warn() {}, error() {} },
  })
}

function databaseOf({ databaseUrl, encryptionKey, pageLimit }: PolisOptions): JacksonOption['db'] {
  const scheme = databaseUrl.slice(0, databaseUrl.indexOf(':'))
  const common = {
    // TypeORM knows MariaDB's and CockroachDB's servers by the type, not by the scheme.
    url: databaseUrl.replace(/^cockroachdb:/, 'postgres:').replace(/^mariadb:/, 'mysql:'),
    ttl: 300,
    cleanupLimit: 1_000,
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
    ...(pageLimit === undefined ? {} : { pageLimit }),
  }
  if (scheme.startsWith('mongodb')) return { ...common, engine: 'mongo' }
  if (scheme === 'mysql' || scheme === 'mariadb' || scheme === 'cockroachdb') {
    return { ...common, engine: 'sql', type: scheme }
  }
  return { ...common, engine: 'sql', type: 'postgres' }
}

function google(externalUrl: string) {
  return {
    clientId: 'polis-client',
    clientSecret: 'polis-client-secret',
    authorizePath: '/api/scim/oauth/authorize',
    callbackPath: `${externalUrl}/api/scim/oauth/callback`,
  }
}
