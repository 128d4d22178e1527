import type { Settings } from '../../app/settings.ts'
import { createLoggedRequests } from '../../diagnostics/requests/listing.ts'
import type { RequestView } from '../../diagnostics/requests/view.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { isObject, own } from '../../scim/json.ts'
import { eachItem, wholeText } from '../../scim/json-list.ts'
import type { ApiClientOptions } from '../api-client.ts'
import { ApiError, createApiClient } from '../api-client.ts'
import { openStoreOf, requireFile } from '../management/open-database.ts'
import type { Reach } from '../reach.ts'
import { openSource } from '../reach.ts'
import type { CommandIo } from '../terminal/io.ts'

/** The fields of `GET /:id/requests`. */
export interface RequestQuery {
  readonly subject: string | undefined
  readonly status: string | undefined
  readonly pageLimit: string
}

/** The source of the requests: a database, or a running service. */
export interface RequestSource extends AsyncDisposable {
  /** The ids of the directories, up to a limit. */
  directories(limit: number): Promise<readonly string[]>
  /** The newest requests of a directory, newest first. */
  requests(directoryId: string, query: RequestQuery): Promise<readonly RequestView[]>
}

/** See `openSource`. */
export function openRequests(reach: Reach, io: CommandIo): Promise<RequestSource> {
  return openSource<RequestSource>(reach, io, { service: askService, database: askDatabase })
}

function askService(options: ApiClientOptions): RequestSource {
  const client = createApiClient(options)
  const rows = async (path: string, query: Readonly<Record<string, string | undefined>>) => {
    const data = own(await client.get(path, query), 'data')
    if (Array.isArray(data)) return data
    throw new ApiError(`${options.baseUrl} sent a response that this version of Rollcall does not understand.`)
  }
  return {
    async directories(limit) {
      const found = await rows('/health', { pageLimit: String(limit) }).catch((cause: unknown) => {
        // A key that is limited to one tenant cannot list all directories.
        if (!(cause instanceof ApiError && (cause.status === 400 || cause.status === 403))) throw cause
        throw new ApiError(`${cause.message}\nName a directory with --directory <id>.`, { cause })
      })
      return found.flatMap((row) => {
        const id = isObject(row) ? own(row, 'directory_id') : undefined
        return typeof id === 'string' ? [id] : []
      })
    },
    async requests(directoryId, query) {
      return (await rows(`/${encodeURIComponent(directoryId)}/requests`, { ...query })) as unknown as RequestView[]
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function askDatabase(settings: Settings): Promise<RequestSource> {
  requireFile(settings.DATABASE_URL)
  const store = await openStoreOf(settings)
  const log = createLoggedRequests({
    store,
    directories: {
      async get(id) {
        const directory = await store.getDirectory(id)
        if (directory !== undefined) return directory
        throw new DirectoryError('directory-not-found', 'There is no such directory.')
      },
    },
    // This process has no buffered records.
    recorder: { flush: async () => {} },
  })
  return {
    directories: async (limit) => (await store.listDirectoriesInScope({}, { limit })).map(({ id }) => id),
    async requests(directoryId, query) {
      const parameters = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
      const { rows } = await log.list(directoryId, parameters)
      return (await Array.fromAsync(eachItem(rows), wholeText)).map((row) => JSON.parse(row) as RequestView)
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}
