import { parentPort, workerData } from 'node:worker_threads'
import type { JacksonOption, SAMLJackson } from '@boxyhq/saml-jackson'
import { openPolisHttp } from './http.ts'
import type { PolisMessage, PolisOptions } from './polis.ts'
import { findRoute } from './routes.ts'

const apiKey = 'polis-api-key'

async function start(options: PolisOptions): Promise<void> {
  const http = await openPolisHttp(options.port ?? 0)
  const controllers = await openLibrary(options, options.externalUrl ?? http.url)
  http.serve({ apiKey, respond: (request) => findRoute(request)(controllers, request) })
  parentPort?.once('message', async () => {
    await http.close()
    await controllers.close()
    send('closed')
  })
  send({ url: http.url, apiKey })
}

async function openLibrary(options: PolisOptions, externalUrl: string): Promise<SAMLJackson> {
  const library = await import('@boxyhq/saml-jackson').catch((cause: unknown) => {
    throw new Error('The library of Polis is not installed: run npm install @boxyhq/saml-jackson', { cause })
  })
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

function send(message: PolisMessage): void {
  parentPort?.postMessage(message)
}

try {
  const options: PolisOptions = workerData
  await start(options)
} catch (error) {
  send({ problem: error instanceof Error ? error.message : String(error) })
}
