import type { Directories } from '../../directory/directories.ts'
import { PagingInput } from '../../directory/inputs.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/page.ts'
import { isBetween, pageTokens } from '../../reads/page.ts'
import { pagingOf, parseQuery } from '../../reads/paging.ts'
import type { RequestRecorder } from './recorder.ts'
import type { LoggedRequest, RequestFilter, RequestLogStore, RequestsFound } from './request-log-store.ts'
import { firstRefusal, foldedSubject, newestRequest } from './request-log-store.ts'
import type { RequestView } from './view.ts'
import { requestView } from './view.ts'

const rowsPerRead = 200
const rowsPerSkip = 1_000

const requestTokens = pageTokens<{ readonly position: number }>({ position: isBetween(0, newestRequest) })

/** A code, a class such as `4xx`, or `refused`. */
export const statusPattern = '^([1-5][0-9]{2}|[1-5][xX]{2}|refused)$'

/** `GET /:id/requests` */
export const RequestListingInput = Type.Object({
  status: Type.Optional(
    Type.String({
      ...{ pattern: statusPattern, examples: ['4xx'] },
      description: 'status: a status code such as 409, a class such as 4xx, or refused for 400 and above.',
    }),
  ),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'subject: the userName, displayName or externalId that a request was about, or how it begins, in any letter case; text of 1 to 512 characters.',
    }),
  ),
  method: Type.Optional(
    Type.String({
      pattern:
        '^([gG][eE][tT]|[pP][oO][sS][tT]|[pP][uU][tT]|[pP][aA][tT][cC][hH]|[dD][eE][lL][eE][tT][eE]|[hH][eE][aA][dD]|[oO][pP][tT][iI][oO][nN][sS])$',
      description: 'method: GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.',
    }),
  ),
  ...PagingInput.properties,
})

export interface LoggedRequestsParts {
  readonly store: Pick<RequestLogStore, 'listRequests'>
  readonly directories: Pick<Directories, 'get'>
  readonly recorder: Pick<RequestRecorder, 'flush'>
}

/** The request log as the API offers it. Queries have the field names of the API and are validated here. */
export type LoggedRequests = ReturnType<typeof createLoggedRequests>

export function createLoggedRequests({ store, directories, recorder }: LoggedRequestsParts) {
  return {
    /**
     * The SCIM requests of a directory as JSON texts, newest first: a page, or all of them. A page may have fewer
     * requests than its limit, or none, and still a token, when many were read.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async list(directoryId: string, query: unknown): Promise<Listing> {
      const fields = parseQuery(RequestListingInput, query)
      const paging = pagingOf(fields)
      const { id } = await directories.get(directoryId)
      await recorder.flush()
      const log: FilteredLog = { store, directoryId: id, filter: filterOf(fields) }
      if (paging === undefined) return { rows: allTexts(log) }
      const start = requestTokens.read(paging.token)?.position ?? (await skip(log, paging.offset))
      return readPage(log, start, paging.limit)
    },
    /**
     * The last refused request of a directory, unless it has succeeded since, or more requests followed than a search reads:
     * an identity provider would have repeated it among these.
     */
    async unresolvedRefusal(directoryId: string): Promise<RequestView | undefined> {
      await recorder.flush()
      const newest = (filter: RequestFilter, after = 0) =>
        store.listRequests(directoryId, filter, { before: newestRequest, after, limit: 1 })
      const [refused] = (await newest({ status: statusRange('refused') })).requests
      if (refused === undefined) return undefined
      const { method, subject, position } = refused
      const about = subject === null ? undefined : { subject: foldedSubject(subject) }
      const succeeded = await newest({ method, status: statusRange('2xx'), about }, position)
      return succeeded.next === undefined ? requestView(refused) : undefined
    },
  }
}

/** The requests of a directory that match a filter. */
interface FilteredLog {
  readonly store: LoggedRequestsParts['store']
  readonly directoryId: string
  readonly filter: RequestFilter
}

function filterOf({ status, subject, method }: Static<typeof RequestListingInput>): RequestFilter {
  return {
    method: method?.toUpperCase(),
    status: status === undefined ? undefined : statusRange(status.toLowerCase()),
    subject: subject === undefined ? undefined : foldedSubject(subject),
  }
}

/** The statuses that a filter means, inclusive. */
export function statusRange(status: string): { from: number; to: number } {
  if (status === 'refused') return { from: firstRefusal, to: 599 }
  if (status.endsWith('xx')) return { from: Number(status[0]) * 100, to: Number(status[0]) * 100 + 99 }
  return { from: Number(status), to: Number(status) }
}

async function readPage({ store, directoryId, filter }: FilteredLog, before: number, limit: number) {
  const { requests, next } = await store.listRequests(directoryId, filter, { before, limit: limit + 1 })
  const rows = requests.slice(0, limit)
  const following = requests.length > limit ? rows.at(-1)?.position : next
  return {
    rows: rows.map(requestText),
    pageToken: following === undefined ? undefined : requestTokens.write({ position: following }),
  }
}

async function* allTexts({ store, directoryId, filter }: FilteredLog) {
  for (let before: number | undefined = newestRequest; before !== undefined; ) {
    const { requests, next }: RequestsFound = await store.listRequests(directoryId, filter, {
      before,
      limit: rowsPerRead,
    })
    yield requests.map(requestText)
    before = next
  }
}

/** Skips the newest requests. Returns the position before which to continue. */
async function skip({ store, directoryId, filter }: FilteredLog, offset: number): Promise<number> {
  let [before, left]: [number | undefined, number] = [newestRequest, offset]
  while (left > 0) {
    const part = { before, limit: Math.min(left, rowsPerSkip) }
    const { requests, next }: RequestsFound = await store.listRequests(directoryId, filter, part)
    if (next === undefined) return 0
    before = next
    left -= requests.length
  }
  return before
}

function requestText(request: LoggedRequest): string {
  return JSON.stringify(requestView(request))
}
