import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type {
  BodyOmitted,
  LoggedRequest,
  NamingLogs,
  RequestRecord,
} from '../diagnostics/requests/request-log-store.ts'
import { firstRefusal, foldedSubject, maxNamingLogs } from '../diagnostics/requests/request-log-store.ts'
import type { Row } from './row.ts'
import { optionalText } from './row.ts'
import type { Sealing } from './sealing.ts'
import { requestLocation } from './sealing.ts'

/*
 * Requests are stored in batches, as they were written: one compressed text, and a few short terms by which an index finds it.
 * A row and four index entries for each request cost five times as much CPU time, most of it for pages in the middle of large
 * indexes. Terms are therefore indexed by chunks of positions: new ones go to a small part of the index.
 */

/** Positions of a chunk have the same number without their last bits. */
export const chunkBits = 11
/** The number of positions in a chunk; a batch reaches into one more at most. */
export const chunkLength: number = 2 ** chunkBits

/** The number of requests in a batch: a search decodes whole batches, and small ones take more space. */
const batchLength = 250

/** Splits requests that are added together into batches. */
export function batchesOf(requests: readonly RequestRecord[]): (readonly RequestRecord[])[] {
  const count = Math.ceil(requests.length / batchLength)
  return Array.from({ length: count }, (_, n) => requests.slice(n * batchLength, (n + 1) * batchLength))
}

/** A batch as it is stored. */
export interface StoredBatch {
  /** The position of its first request. */
  readonly position: number
  /** Requests before it are no longer in the log. */
  readonly firstKept: number
  readonly records: Uint8Array
}

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Shorter texts are stored as they are. */
const minCompressedLength = 2_000
const startOfJson = '['.charCodeAt(0)

/** The text of a batch: JSON, which is compressed unless it is short. */
export function packRequests(requests: readonly RequestRecord[]): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(requests.map(valuesOf)))
  return bytes.length < minCompressedLength ? bytes : zstdCompressSync(bytes, fastest)
}

type Values = readonly [
  ...[id: string, at: number, method: string, path: string, status: number, durationMs: number],
  ...[subject: string | null, resourceType: 'User' | 'Group' | null, resourceId: string | null],
  ...[userAgent: string | null, address: string | null, eventSequences: string | null],
  ...[scimType: string | null, detail: string | null, bodyOmitted: BodyOmitted | null],
]

function valuesOf(request: RequestRecord): Values {
  return [
    request.id,
    request.at,
    request.method,
    request.path,
    request.status,
    request.durationMs,
    request.subject,
    request.resourceType,
    request.resourceId,
    request.userAgent,
    request.address,
    request.eventSequences,
    request.scimType,
    request.detail,
    request.bodyOmitted,
  ]
}

/** The requests of a batch that are still in the log, oldest first. */
export function unpackRequests({ position, firstKept, records }: StoredBatch): LoggedRequest[] {
  const bytes = records[0] === startOfJson ? Buffer.from(records) : zstdDecompressSync(records)
  const batch = JSON.parse(bytes.toString('utf8')) as readonly Values[]
  return batch.slice(Math.max(0, firstKept - position)).map((values, index): LoggedRequest => {
    const [id, at, method, path, status, durationMs, subject, resourceType, resourceId, ...rest] = values
    const [userAgent, address, eventSequences, scimType, detail, bodyOmitted] = rest
    return {
      position: Math.max(position, firstKept) + index,
      ...{ id, at, method, path, status, durationMs, subject, resourceType, resourceId },
      ...{ userAgent, address, eventSequences, scimType, detail, bodyOmitted },
    }
  })
}

/** The terms of a batch and of conditions on it. */
export const term = {
  method: (method: string): string => `m${method}`,
  status: (status: number): string => `s${status}`,
  /** `4` for 400 to 499. */
  statusClass: (digit: number): string => `c${digit}`,
  refused: 'x',
  subject: (folded: string): string => storable(`u${folded}`),
  /** The end of an id distinguishes it well enough, and takes less space. */
  resource: (id: string): string => storable(`r${id.slice(-12)}`),
  /** The 256 milliseconds in which the id of a request, a UUIDv7, was made. */
  time: (id: string): string => `t${id.slice(0, 11)}`,
} as const

/** The condition on a term `t` of a subject, without which the index of subjects is not used. */
export const isSubjectTerm = `t.term >= 'u' and t.term < 'v'`

const unstorable = /[\0\ud800-\udfff]/

/** A text that both databases store unchanged. */
function storable(text: string): string {
  return unstorable.test(text) ? text.replaceAll('\0', '\ufffd').toWellFormed() : text
}

/** The terms by which a batch is found, each once, in order. */
export function termsOf(requests: readonly RequestRecord[]): string[] {
  const terms = new Set<string>()
  let previous: RequestRecord | undefined
  for (const request of requests) {
    const { id, method, status, subject, resourceId } = request
    if (method !== previous?.method || status !== previous.status) {
      terms
        .add(term.method(method))
        .add(term.status(status))
        .add(term.statusClass(Math.floor(status / 100)))
      if (status >= firstRefusal) terms.add(term.refused)
    }
    if (subject !== null) terms.add(term.subject(foldedSubject(subject)))
    if (resourceId !== null) terms.add(term.resource(resourceId))
    terms.add(term.time(id))
    previous = request
  }
  return [...terms].sort()
}

/** The maximum number of terms of a batch with one request. */
export const maxTermsPerRequest = 7

/** Whether a batch contains a refused request. */
export function hasRefused(requests: readonly RequestRecord[]): boolean {
  return requests.some(({ status }) => status >= firstRefusal)
}

/** The time at which the newest request of a batch arrived. */
export function newestAt(requests: readonly RequestRecord[]): number {
  return requests.reduce((newest, { at }) => Math.max(newest, at), 0)
}

/** A body that was kept. */
export interface SealedBody {
  /** The place of its request in the batch, from 0. */
  readonly index: number
  readonly id: string
  readonly body: string
}

/** The bodies of a batch as they are stored: encrypted. */
export function sealedBodies(requests: readonly RequestRecord[], { seal }: Sealing): SealedBody[] {
  return requests.flatMap(({ id, body }, index) =>
    body === null ? [] : [{ index, id, body: seal(body, requestLocation(id)) }],
  )
}

/** Decodes a row of `position`, `first_position` of the log, and `records`. */
export function decodeBatch(row: Row): StoredBatch {
  const { records } = row
  if (!(records instanceof Uint8Array)) throw new Error('The records of a batch of requests are not binary.')
  return { position: Number(row['position']), firstKept: Number(row['first_position']), records }
}

/** The first position to keep after the log has got `added` requests more: it moves in steps, so that no commit is large. */
export function firstPositionToKeep(
  { first, last }: { readonly first: number; readonly last: number },
  added: number,
  keep: number,
): number {
  return Math.max(first, Math.min(last + added - keep + 1, first + added + removedAtOnce))
}

/** Decodes the rows of visited logs: `id` is null outside of the scope. */
export function decodeNaming(rows: readonly Row[]): NamingLogs {
  const ids = rows.map((row) => optionalText(row, 'id'))
  return { directoryIds: ids.filter((id) => id !== undefined), isComplete: rows.length < maxNamingLogs }
}

/** The number of requests that are removed beyond those that were added, after the limit was lowered. */
export const removedAtOnce = 200
