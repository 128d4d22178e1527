import type { Settings } from '../../app/settings.ts'
import { readSettings } from '../../app/settings.ts'
import { createExplain } from '../../diagnostics/explain/explain.ts'
import type { Explanation } from '../../diagnostics/explain/explanation.ts'
import { isExplanation } from '../../diagnostics/explain/explanation.ts'
import { own } from '../../scim/json.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import { openStore } from '../../store/open.ts'
import type { ApiClientOptions } from '../api-client.ts'
import { ApiError, createApiClient } from '../api-client.ts'
import { requireFile } from '../management/open-database.ts'
import type { CommandIo } from '../terminal/io.ts'

/** The fields of `GET /explain`. */
export interface ExplainQuery {
  readonly directoryId: string | undefined
  readonly tenant: string | undefined
  readonly product: string | undefined
  readonly subject: string
}

/** What answers the command: a database, or a running service. */
export interface ExplainSource extends AsyncDisposable {
  explain(query: ExplainQuery): Promise<Explanation>
}

export interface ExplainReach {
  /** Without a trailing slash. */
  readonly url: string | undefined
  readonly apiKey: string | undefined
}

/**
 * Asks the service that an API key or an address is passed for; without both, the database itself.
 *
 * @throws Error with a message for the operator when neither works
 */
export async function openExplain({ url, apiKey }: ExplainReach, { env, signal }: CommandIo): Promise<ExplainSource> {
  const key = apiKey ?? env['ROLLCALL_API_KEY']
  const baseUrl = url ?? `http://localhost:${env['PORT'] ?? '5225'}`
  if (key !== undefined && key !== '') return askService({ baseUrl, apiKey: key, signal })
  if (url !== undefined) throw new Error(noKey)
  try {
    return await askDatabase(readSettings(env))
  } catch (error) {
    if (error instanceof DatabaseInUse) throw new Error(noKey, { cause: error })
    throw error
  }
}

const noKey = 'A running service is asked with an API key: pass --api-key <key>, or set ROLLCALL_API_KEY.'

function askService(options: ApiClientOptions): ExplainSource {
  const client = createApiClient(options)
  return {
    async explain(query) {
      const answer = await client.get('/explain', { ...query }).catch((error: unknown) => {
        throw isUnscoped(query) ? withScopeHint(error) : error
      })
      const explanation = own(answer, 'data')
      if (isExplanation(explanation)) return explanation
      throw new ApiError(`${options.baseUrl} sent a response that this version of Rollcall does not understand.`)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

const isUnscoped = ({ directoryId, tenant }: ExplainQuery) => directoryId === undefined && tenant === undefined

/** A key for one tenant and product needs no scope; others do. */
function withScopeHint(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  return new ApiError(`${error.message}\nPass --directory, or --tenant and --product.`, { cause: error })
}

async function askDatabase(settings: Settings): Promise<ExplainSource> {
  requireFile(settings.DATABASE_URL)
  const store = await openStore({
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.ENCRYPTION_KEY,
    poolSize: settings.DATABASE_POOL_SIZE,
    directUrl: settings.DATABASE_DIRECT_URL,
    // Background removal continues in the next process.
    onBackgroundError: () => {},
  })
  const { explainAnywhere } = createExplain({
    ...{ store, hasOnEvent: false, clock: Date.now },
    // Nothing is in memory of this process.
    flush: async () => {},
    requestDays: settings.SCIM_REQUEST_LOG_TTL,
  })
  return { explain: explainAnywhere, [Symbol.asyncDispose]: () => store.close() }
}
