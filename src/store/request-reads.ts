import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  LoggedRequest,
  RequestFilter,
  RequestLogStore,
  RequestPart,
  RequestsFound,
} from '../diagnostics/requests/request-log-store.ts'
import { firstRefusal, foldedSubject, maxRequestsExamined } from '../diagnostics/requests/request-log-store.ts'
import { directorySuffixIn } from '../ids/request-id.ts'
import type { Batch } from './requests.ts'
import { batchLength, decodeBatch, storableSubject } from './requests.ts'
import { integer, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** Reads the bounds of a log. */
export const logOf = 'select first_position, last_position from request_logs where directory_id = $1'

/** The batches of a directory that begin from `$2` on and before `$3`, newest first. */
const batchesBefore = `
  select position, records from request_batches where directory_id = $1 and position >= $2 and position < $3
  order by position desc limit $4`

const directoriesLike = `
  select id from directories where substr(id, length(id) - 5) between $1 and $1 and deleted = 0
  order by substr(id, length(id) - 5) limit 20`

const lastRefusal = `
  select position from refused_subjects where subject between $1 and $1 and directory_id = $2 order by subject limit 1`

/** The number of requests that are read at once; a process may hold those of several searches. */
const requestsPerStep = 2_500
/** The number of batches that are read first, and of batches with refused requests that are read at once. */
const fewBatches = 10
/** The distances within which a request is searched from where its id says that it is. */
const distances = [2 * batchLength, maxRequestsExamined / 2]

/** The bounds of a log, both inclusive. */
interface Log {
  readonly first: number
  readonly last: number
}

/** The condition on the requests of a search, and whether only refused ones can meet it. */
interface Wanted {
  readonly meets: (request: LoggedRequest) => boolean
  readonly isRefused: boolean
}

/** Finds requests by decoding batches. */
export function createReads({ query, dialect }: SqlDatabase) {
  const refusedBefore = `
    select position, records from request_batches ${dialect.indexedBy('refused_requests_of_directory')}
    where directory_id = $1 and position + 0 < $2 and product is not null order by position + 0 desc limit ${fewBatches}`

  async function logIn(directoryId: string): Promise<Log | undefined> {
    const [row] = await query({ text: logOf, values: [directoryId] })
    return row && { first: integer(row, 'first_position'), last: integer(row, 'last_position') }
  }

  async function batches(directoryId: string, from: number, before: number, limit: number): Promise<Batch[]> {
    return (await query({ text: batchesBefore, values: [directoryId, from, before, limit] })).map(decodeBatch)
  }

  /** Searches from the newest requests to the oldest ones, in steps, between which other work is done. */
  async function search(
    directoryId: string,
    log: Log,
    { meets, isRefused }: Wanted,
    { before, after = 0, limit, examine = maxRequestsExamined }: RequestPart,
  ): Promise<RequestsFound> {
    const oldest = Math.max(log.first, after + 1)
    const requests: LoggedRequest[] = []
    let next = Math.min(before, log.last + 1)
    let count = Math.min(fewBatches, limit)
    for (let left = examine; next > oldest; count = requestsPerStep) {
      if (left <= 0) return { requests, next }
      const found = isRefused
        ? (await query({ text: refusedBefore, values: [directoryId, next] })).map(decodeBatch)
        : await batches(directoryId, next - Math.min(requestsPerStep, Math.max(left, batchLength)), next, count)
      if (found.length === 0) break
      for (const batch of found) {
        const examined = batch.requests.filter(({ position }) => position >= oldest && position < next)
        const met = examined.toReversed().filter(meets)
        requests.push(...met.slice(0, limit - requests.length))
        if (requests.length === limit) return { requests, next: requests.at(-1)?.position }
        left -= examined.length
        next = batch.position
      }
      await nextTurn()
    }
    return { requests, next: undefined }
  }

  const list: RequestLogStore['listRequests'] = async (directoryId, filter, part) => {
    const nothing = { requests: [], next: undefined }
    const log = await logIn(directoryId)
    if (log === undefined) return nothing
    const isRefused = filter.status !== undefined && filter.status.from >= firstRefusal
    const { subject, resourceId } = filter.about ?? {}
    const wanted = { meets: predicateOf(filter), isRefused }
    if (!isRefused || subject === undefined || resourceId !== undefined) return search(directoryId, log, wanted, part)
    const [row] = await query({ text: lastRefusal, values: [storableSubject(subject), directoryId] })
    if (row === undefined) return nothing
    return search(directoryId, log, wanted, { ...part, before: Math.min(part.before, integer(row, 'position') + 1) })
  }

  /** About where a request is whose id, a UUIDv7, was made when it arrived: requests are nearly in this order. */
  async function placeOf(directoryId: string, { first, last }: Log, id: string): Promise<number> {
    let [low, high] = [first, last + 1]
    while (high - low > batchLength) {
      const middle = Math.floor((low + high) / 2)
      const [batch] = await batches(directoryId, middle - batchLength + 1, middle + 1, 1)
      if (batch === undefined) break
      if (batch.requests.every((request) => request.id < id)) low = middle
      else high = batch.position
    }
    return high
  }

  return {
    list,
    /** Finds a request by its id, which says how the id of its directory ends. */
    async find(id: string) {
      const suffix = directorySuffixIn(id)
      if (suffix === undefined) return undefined
      const wanted: Wanted = { meets: (request) => request.id === id, isRefused: false }
      for (const row of await query({ text: directoriesLike, values: [suffix] })) {
        const directoryId = text(row, 'id')
        const log = await logIn(directoryId)
        if (log === undefined) continue
        const place = await placeOf(directoryId, log, id)
        for (const distance of distances) {
          const part = { before: place + distance, after: place - distance, limit: 1, examine: 2 * distance }
          const [request] = (await search(directoryId, log, wanted, part)).requests
          if (request !== undefined) return { directoryId, request }
        }
      }
      return undefined
    },
  }
}

function predicateOf({ method, status, subject, about }: RequestFilter): Wanted['meets'] {
  const isAbout = (request: LoggedRequest) =>
    about === undefined ||
    (about.resourceId !== undefined && request.resourceId === about.resourceId) ||
    (about.subject !== undefined && request.subject !== null && foldedSubject(request.subject) === about.subject)
  return (request) =>
    (method === undefined || request.method === method) &&
    (status === undefined || (request.status >= status.from && request.status <= status.to)) &&
    (subject === undefined || (request.subject !== null && foldedSubject(request.subject).startsWith(subject))) &&
    isAbout(request)
}
