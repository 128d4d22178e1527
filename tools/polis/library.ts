import type { SAMLJackson } from '../../src/polis/index.ts'
import type { PolisOptions } from './polis.ts'

/** The package of Polis' library, which is installed only when it is needed: it has 428 dependencies. */
export const polisLibrary = '@boxyhq/saml-jackson'
/** The version that imports are tested with. */
export const polisVersion = '26.2.0'

/** What is used of the library. Rollcall's controllers have the same methods. */
export type PolisControllers = Pick<SAMLJackson, 'directorySyncController' | 'setupLinkController' | 'close'>

interface Library {
  readonly controllers: (options: object) => Promise<PolisControllers>
}

/**
 * Opens the library on a database.
 *
 * @throws Error that says what to install
 */
export async function openLibrary(options: PolisOptions, externalUrl: string): Promise<PolisControllers> {
  const { library = polisLibrary, webhookBatchSize } = options
  const { controllers }: Library = await import(library).catch((cause: unknown) => {
    const command = `npm install --no-save ${polisLibrary}@${polisVersion}`
    throw new Error(`The library of Polis is not installed: run ${command}`, { cause })
  })
  return await controllers({
    externalUrl,
    samlPath: '/api/oauth/saml',
    scimPath: '/api/scim/v2.0',
    noAnalytics: true,
    db: databaseOf(options),
    dsync: {
      ...(webhookBatchSize === undefined ? {} : { webhookBatchSize }),
      providers: { google: google(externalUrl) },
    },
    logger: { info() {}, warn() {}, error() {} },
  })
}

function databaseOf({ databaseUrl, encryptionKey, pageLimit }: PolisOptions): object {
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
