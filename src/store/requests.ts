import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { LoggedRequest, RequestRecord } from '../diagnostics/requests/request-log-store.ts'
import { firstRefusal, foldedSubject } from '../diagnostics/requests/request-log-store.ts'
import type { Row } from './row.ts'
import { integer } from './row.ts'

/*
 * Requests are stored in batches, as they were written: each is one compressed text. A row and its index entries for each
 * request cost five times as much CPU time, most of it for pages in the middle of large indexes.
 */

/** The maximum number of requests in a batch: a search decodes whole batches, and small ones take more space. */
export const batchLength = 250

/** Splits requests that are added together into batches. */
export function batchesOf(requests: readonly RequestRecord[]): (readonly RequestRecord[])[] {
  const count = Math.ceil(requests.length / batchLength)
  return Array.from({ length: count }, (_, n) => requests.slice(n * batchLength, (n + 1) * batchLength))
}

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Shorter texts are stored as they are. */
const minCompressedLength = 2_000
const startOfJson = '['.charCodeAt(0)

/** The text of a batch: JSON, which is compressed unless it is short. */
export function packRequests(requests: readonly Omit<RequestRecord, 'body'>[]): Buffer {
  const bytes = Buffer.from(JSON.stringify(requests.map(valuesOf)))
  return bytes.length < minCompressedLength ? bytes : zstdCompressSync(bytes, fastest)
}

/** The properties of a request, in the order of their values in a batch. */
const properties = [
  ...['id', 'at', 'method', 'path', 'status', 'durationMs', 'subject', 'resourceType', 'resourceId'],
  ...['userAgent', 'address', 'eventSequences', 'scimType', 'detail', 'bodyOmitted'],
] as const satisfies readonly (keyof RequestRecord)[]

type ValuesOf<Names extends readonly (keyof RequestRecord)[]> = { readonly [N in keyof Names]: RequestRecord[Names[N]] }

function valuesOf(request: Omit<RequestRecord, 'body'>) {
  return properties.map((property) => request[property])
}

/** A batch that was read: the position of its first request, and its requests, oldest first. */
export interface Batch {
  readonly position: number
  readonly requests: readonly LoggedRequest[]
}

/** Decodes a row of `position` and `records`, with all requests of the batch, also those that are no longer in the log. */
export function decodeBatch(row: Row): Batch {
  const position = integer(row, 'position')
  const { records } = row
  if (!(records instanceof Uint8Array)) throw new Error('The records of a batch of requests are not binary.')
  const bytes = records[0] === startOfJson ? Buffer.from(records) : zstdDecompressSync(records)
  const batch = JSON.parse(bytes.toString('utf8')) as readonly ValuesOf<typeof properties>[]
  const requests = batch.map((values, index): LoggedRequest => {
    const [id, at, method, path, status, durationMs, subject, resourceType, resourceId, ...rest] = values
    const [userAgent, address, eventSequences, scimType, detail, bodyOmitted] = rest
    return {
      position: position + index,
      ...{ id, at, method, path, status, durationMs, subject, resourceType, resourceId },
      ...{ userAgent, address, eventSequences, scimType, detail, bodyOmitted },
    }
  })
  return { position, requests }
}

/** The subjects of the refused requests among some, each with the index of the last one. */
export function refusedSubjects(requests: readonly Omit<RequestRecord, 'body'>[]): Map<string, number> {
  return new Map(
    requests.flatMap(({ status, subject }, index) =>
      status >= firstRefusal && subject !== null ? [[storableSubject(foldedSubject(subject)), index]] : [],
    ),
  )
}

const unstorable = /[\0\ud800-\udfff]/

/** A folded subject as both databases store it. */
export function storableSubject(folded: string): string {
  return unstorable.test(folded) ? folded.replaceAll('\0', '\ufffd').toWellFormed() : folded
}

/** The number of requests that are removed beyond those that were added, after the limit was lowered. */
const removedAtOnce = 200

/** The first position to keep in a log of `last` requests, `added` of which are new: it moves in steps, so that no commit is large. */
export function firstPositionToKeep(first: number, last: number, added: number, keep: number): number {
  return Math.max(first, Math.min(last - keep + 1, first + added + removedAtOnce))
}
