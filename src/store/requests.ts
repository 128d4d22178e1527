import type {
  BodyOmitted,
  FoundRequest,
  LoggedRequest,
  RequestFilter,
  RequestRecord,
} from '../diagnostics/requests/store.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { requestLocation } from './sealing.ts'

/** The columns of a request without its directory, position and body, in the order of `requestValues`. */
export const requestColumns = [
  'id',
  'at',
  'method',
  'path',
  'status',
  'scim_type',
  'detail',
  'duration_ms',
  'user_agent',
  'address',
  'resource_type',
  'resource_id',
  'event_sequences',
  'body_omitted',
  'subject',
  'subject_folded',
] as const

/** The values of a request, in the order of `requestColumns`. */
export function requestValues(request: RequestRecord): (string | number | null)[] {
  return [
    request.id,
    request.at,
    request.method,
    request.path,
    request.status,
    request.scimType,
    request.detail,
    request.durationMs,
    request.userAgent,
    request.address,
    request.resourceType,
    request.resourceId,
    request.eventSequences,
    request.bodyOmitted,
    request.subject,
    request.subjectFolded,
  ]
}

/** The body as it is stored: encrypted. */
export function sealedBody({ id, body }: RequestRecord, { seal }: Sealing): string | null {
  return body === null ? null : seal(body, requestLocation(id))
}

/** SQL for the name of the user or group that a request named by its id, in a column of `users` and one of `groups`. */
export function nameOfResource(
  [userColumn, groupColumn]: readonly [string, string],
  [resourceType, directoryId, resourceId]: readonly [string, string, string],
): string {
  const named = (table: string, column: string) =>
    `(select n.${column} from ${table} n where n.directory_id = ${directoryId} and n.id = ${resourceId})`
  return `case ${resourceType} when 'User' then ${named('users', userColumn)} when 'Group' then ${named('groups', groupColumn)} end`
}

const resourceTypes = ['User', 'Group'] as const
const reasonsToOmit = ['too-large', 'unparseable'] as const satisfies readonly BodyOmitted[]

/** Decodes a row of `requestColumns` and `position`. */
export function decodeRequest(row: Row): LoggedRequest {
  const optional = (column: string) => optionalText(row, column) ?? null
  return {
    position: integer(row, 'position'),
    id: text(row, 'id'),
    at: integer(row, 'at'),
    method: text(row, 'method'),
    path: text(row, 'path'),
    status: integer(row, 'status'),
    scimType: optional('scim_type'),
    detail: optional('detail'),
    durationMs: integer(row, 'duration_ms'),
    userAgent: optional('user_agent'),
    address: optional('address'),
    resourceType: row['resource_type'] === null ? null : oneOf(row, 'resource_type', resourceTypes),
    resourceId: optional('resource_id'),
    subject: optional('subject'),
    subjectFolded: optional('subject_folded'),
    eventSequences: optional('event_sequences'),
    bodyOmitted: row['body_omitted'] === null ? null : oneOf(row, 'body_omitted', reasonsToOmit),
  }
}

/** Decodes a row of `requestColumns`, `position`, `directory_id` and `body`. */
export function decodeFoundRequest(row: Row, { open }: Sealing): FoundRequest {
  const request = decodeRequest(row)
  const sealed = optionalText(row, 'body')
  const body = sealed === undefined ? null : open(sealed, requestLocation(request.id))
  return { directoryId: text(row, 'directory_id'), request, body }
}

/** Requests with the same method and status, and the same subject if they were searched by it. */
export interface RequestGroup {
  readonly subject: string
  readonly method: string
  readonly status: number
}

/** Which groups a listing consists of; undefined when it is the whole log, which needs none. */
export interface GroupSearch {
  /** The folded subjects: from the first to the last, inclusive; undefined when requests are not searched by subject. */
  readonly subjects: { readonly first: string; readonly last: string } | undefined
  readonly method: string | undefined
  readonly from: number
  readonly to: number
}

/** Greater than every character that a folded subject continues with. */
const lastCharacter = '\u{10FFFF}'
const anyStatus = { from: 0, to: 999 }

export function groupSearchOf({ subject, method, status }: RequestFilter): GroupSearch | undefined {
  if (subject === undefined && method === undefined && status === undefined) return undefined
  const last = subject && (subject.isPrefix ? `${subject.folded}${lastCharacter}` : subject.folded)
  return {
    subjects: subject === undefined || last === undefined ? undefined : { first: subject.folded, last },
    method,
    ...(status ?? anyStatus),
  }
}

/** Decodes a row of `subject_folded, method, status`. */
export function decodeGroup(row: Row): RequestGroup {
  return {
    subject: optionalText(row, 'subject_folded') ?? '',
    method: text(row, 'method'),
    status: integer(row, 'status'),
  }
}

/** The first position to keep after the log has got `added` requests more: it moves in steps, so that no commit is large. */
export function firstPositionToKeep(
  { first, last }: { readonly first: number; readonly last: number },
  added: number,
  keep: number,
): number {
  return Math.max(first, Math.min(last + added - keep + 1, first + added + removedAtOnce))
}

/** How many requests are removed beyond those that were added, when the limit was lowered. */
export const removedAtOnce = 200
