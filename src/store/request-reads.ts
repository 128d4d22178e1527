import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  FoundRequest,
  LoggedRequest,
  RequestFilter,
  RequestPart,
  RequestsFound,
} from '../diagnostics/requests/request-log-store.ts'
import { foldedSubject, newestRequest } from '../diagnostics/requests/request-log-store.ts'
import { directorySuffixIn } from '../ids/request-id.ts'
import type { StoredBatch } from './requests.ts'
import { term, unpackRequests } from './requests.ts'

/** The terms of the batches to read: from the first to the last, inclusive. */
export interface TermRange {
  readonly first: string
  readonly last: string
}

/** Reads batches that begin before a position, newest first; those with one of the terms if there are any. */
export type ReadBatches = (
  directoryId: string,
  terms: TermRange | undefined,
  part: RequestPart,
) => Promise<readonly StoredBatch[]>

/** The number of batches that are read at once; a process may hold those of several searches. */
export const batchesPerStep = 10
/** The number of requests that do not match its filter after which a search ends, and can be continued. */
export const maxUnmatched = 20_000

/** Lists requests in steps, between which other work is done. */
export async function listBatched(
  read: ReadBatches,
  directoryId: string,
  filter: RequestFilter,
  { before, limit }: RequestPart,
): Promise<RequestsFound> {
  const terms = termsFor(filter)
  const meets = predicateOf(filter)
  const found: LoggedRequest[] = []
  let next = before
  for (let unmatched = 0; unmatched <= maxUnmatched; ) {
    const missing = limit - found.length
    const batches = await read(directoryId, terms, { before: next, limit: Math.min(batchesPerStep, missing) })
    for (const batch of batches) {
      const requests = unpackRequests(batch).filter(({ position }) => position < before)
      const met = requests
        .toReversed()
        .filter(meets)
        .slice(0, limit - found.length)
      found.push(...met)
      if (found.length === limit) return { requests: found, next: found.at(-1)?.position }
      next = batch.position
      unmatched = met.length > 0 ? 0 : unmatched + requests.length
    }
    if (batches.length === 0) return { requests: found, next: undefined }
    await nextTurn()
  }
  return { requests: found, next }
}

/** Greater than every character that a folded subject continues with. */
const lastCharacter = '\u{10FFFF}'

/** The terms of the condition that the fewest requests are likely to meet; undefined when every batch must be read. */
function termsFor({ resourceId, subject, method, status }: RequestFilter): TermRange | undefined {
  if (resourceId !== undefined) return only(term.resource(resourceId))
  if (subject !== undefined) {
    const first = term.subject(subject.folded)
    return subject.isPrefix ? { first, last: `${first}${lastCharacter}` } : only(first)
  }
  const ofStatus = status === undefined ? undefined : termOfStatus(status)
  const isSuccess = status !== undefined && status.to < 400
  if (method !== undefined && (isSuccess || ofStatus === undefined)) return only(term.method(method))
  return ofStatus === undefined ? undefined : only(ofStatus)
}

function only(one: string): TermRange {
  return { first: one, last: one }
}

function termOfStatus({ from, to }: { readonly from: number; readonly to: number }): string | undefined {
  if (from === to) return term.status(from)
  const [first, last] = [Math.floor(from / 100), Math.floor(to / 100)]
  if (first === last) return term.statusClass(first)
  return first >= 4 ? term.refused : undefined
}

function predicateOf({ resourceId, subject, method, status }: RequestFilter): (request: LoggedRequest) => boolean {
  return (request) =>
    (resourceId === undefined || request.resourceId === resourceId) &&
    (method === undefined || request.method === method) &&
    (status === undefined || (request.status >= status.from && request.status <= status.to)) &&
    (subject === undefined || hasSubject(request, subject))
}

function hasSubject({ subject }: LoggedRequest, { folded, isPrefix }: NonNullable<RequestFilter['subject']>): boolean {
  if (subject === null) return false
  const actual = foldedSubject(subject)
  return isPrefix ? actual.startsWith(folded) : actual === folded
}

/** Finds a request by its id, which says how the id of its directory ends, and when it was made. */
export async function findBatched(
  read: ReadBatches,
  directoriesLike: (suffix: string) => Promise<readonly string[]>,
  id: string,
): Promise<Omit<FoundRequest, 'body'> | undefined> {
  const suffix = directorySuffixIn(id)
  if (suffix === undefined) return undefined
  for (const directoryId of await directoriesLike(suffix)) {
    for (let before: number | undefined = newestRequest; before !== undefined; ) {
      const batches: readonly StoredBatch[] = await read(directoryId, only(term.time(id)), {
        before,
        limit: batchesPerStep,
      })
      const request = batches.flatMap(unpackRequests).find((one) => one.id === id)
      if (request !== undefined) return { directoryId, request }
      before = batches.at(-1)?.position
      await nextTurn()
    }
  }
  return undefined
}
