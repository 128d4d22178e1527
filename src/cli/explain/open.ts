import type { Settings } from '../../app/settings.ts'
import { createExplain } from '../../diagnostics/explain/explain.ts'
import type { Explanation } from '../../diagnostics/explain/explanation.ts'
import { isExplanation } from '../../diagnostics/explain/explanation.ts'
import { own } from '../../scim/json.ts'
import type { ApiClientOptions } from '../api-client.ts'
import { ApiError, createApiClient } from '../api-client.ts'
import { clockOf, openStoreOf, requireFile } from '../management/open-database.ts'
import type { Reach } from '../reach.ts'
import { openSource } from '../reach.ts'
import type { CommandIo } from '../terminal/io.ts'

/** The fields of `GET /explain`. */
export interface ExplainQuery {
  readonly directoryId: string | undefined
  readonly tenant: string | undefined
  readonly product: string | undefined
  readonly subject: string
}

/** The source of the explanation: a database, or a running service. */
export interface ExplainSource extends AsyncDisposable {
  explain(query: ExplainQuery): Promise<Explanation>
}

/** See `openSource`. */
export function openExplain(reach: Reach, io: CommandIo): Promise<ExplainSource> {
  return openSource<ExplainSource>(reach, io, { service: askService, database: askDatabase })
}

function askService(options: ApiClientOptions): ExplainSource {
  const client = createApiClient(options)
  return {
    async explain(query) {
      const explanation = own(await client.get('/explain', { ...query }), 'data')
      if (isExplanation(explanation)) return explanation
      throw new ApiError(`${options.baseUrl} sent a response that this version of Rollcall does not understand.`)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function askDatabase(settings: Settings): Promise<ExplainSource> {
  requireFile(settings.DATABASE_URL)
  const store = await openStoreOf(settings)
  const clock = await clockOf(store)
  const { explain } = createExplain({
    ...{ store, hasOnEvent: false, clock },
    // This process has no buffered records.
    flush: async () => {},
    requestLog: { days: settings.SCIM_REQUEST_LOG_TTL, requests: settings.SCIM_REQUEST_LOG_MAX },
  })
  return { explain, [Symbol.asyncDispose]: () => store.close() }
}
