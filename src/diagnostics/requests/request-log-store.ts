import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import { fold } from '../../scim/fold.ts'

/** A SCIM request as the request log keeps it. */
export interface RequestRecord {
  /** The `x-request-id`; for an operation of a bulk request, followed by `.` and its number. */
  readonly id: string
  /** Time of arrival, in Unix milliseconds. */
  readonly at: number
  readonly method: string
  /** The path below the directory's SCIM address, with the query. */
  readonly path: string
  readonly status: number
  readonly scimType: string | null
  /** The reason of a refusal. */
  readonly detail: string | null
  /** Rounded to whole milliseconds. */
  readonly durationMs: number
  readonly userAgent: string | null
  readonly address: string | null
  readonly resourceType: 'User' | 'Group' | null
  readonly resourceId: string | null
  /**
   * The userName, displayName or externalId that it was about; when null, the store fills in the name of the resource.
   */
  readonly subject: string | null
  /** The sequence numbers of its events: see `sequenceRanges`; null without any. */
  readonly eventSequences: string | null
  /** JSON without passwords; stored encrypted. */
  readonly body: string | null
  readonly bodyOmitted: BodyOmitted | null
}

/** The reasons why a body was not kept. */
export type BodyOmitted = 'too-large' | 'unparseable'

/** A request in the log of its directory. */
export interface LoggedRequest extends Omit<RequestRecord, 'body'> {
  /** 1, 2, 3 … per directory, in the order of recording. */
  readonly position: number
}

/** A request that was found by its id, with its body. */
export interface FoundRequest {
  readonly directoryId: string
  readonly request: LoggedRequest
  readonly body: string | null
}

/** The requests of a directory to list; every condition must be met. */
export interface RequestFilter {
  readonly method?: string | undefined
  /** Inclusive. */
  readonly status?: { readonly from: number; readonly to: number } | undefined
  /** The beginning of the folded subject. */
  readonly subject?: string | undefined
  /** A user or group by its folded subject, or by its id, also after its deletion: a request has one of them. */
  readonly about?: { readonly subject?: string | undefined; readonly resourceId?: string | undefined } | undefined
}

/** The requests before a position and after another one, newest first. */
export interface RequestPart {
  readonly before: number
  readonly after?: number
  readonly limit: number
  /** The number of requests to read at most, `maxRequestsExamined` by default; some more if they were written together. */
  readonly examine?: number
}

/** A refused request, and its directory. */
export interface RefusedRequest {
  readonly directory: Pick<Directory, 'id' | 'name' | 'tenant' | 'product'>
  readonly request: LoggedRequest
  readonly place: RefusedPosition
}

/** A place in a list of refused requests: the batch that a directory wrote at once, and a position in it. */
export interface RefusedPosition {
  /** When the newest request of the batch arrived, in Unix milliseconds. */
  readonly newestAt: number
  /** The directory, as the store identifies it. */
  readonly directory: string
  /** The position of the first request of the batch. */
  readonly batch: number
  /** The list continues before this request. */
  readonly before: number
}

export interface RefusedPart {
  /** Where the previous part ended; undefined for the first one. */
  readonly after: RefusedPosition | undefined
  readonly limit: number
}

export interface RefusedFound {
  readonly requests: readonly RefusedRequest[]
  /** Where to continue, after a full part or when many requests have another status; undefined when no more follow. */
  readonly next: RefusedPosition | undefined
}

/** The lowest status of a refused request. */
export const firstRefusal = 400

/**
 * The number of requests that a search reads of a directory, after which it ends, and can be continued. Searches for refused
 * requests skip what was written without one.
 */
export const maxRequestsExamined = 20_000

/** The position before the newest request: a log is read from the newest to the oldest. */
export const newestRequest: number = 2 ** 33 - 1

/** The maximum length of a userName, displayName or externalId in the log, in characters. */
export const maxSubjectLength = 512

/** The form in which subjects are compared. */
export function foldedSubject(subject: string): string {
  return fold(subject.slice(0, maxSubjectLength)).slice(0, maxSubjectLength)
}

/** Names the requests that named a user or group by its id alone. */
export function withNames(
  requests: readonly RequestRecord[],
  nameOf: (type: 'User' | 'Group', id: string) => string | undefined,
): readonly RequestRecord[] {
  if (!requests.some(isNameless)) return requests
  return requests.map((request) => {
    if (!isNameless(request)) return request
    return { ...request, subject: nameOf(request.resourceType, request.resourceId) ?? null }
  })
}

/** A request with a resource, but without a subject. */
export type NamelessRequest = RequestRecord & {
  readonly resourceType: 'User' | 'Group'
  readonly resourceId: string
}

export function isNameless(request: RequestRecord): request is NamelessRequest {
  return request.subject === null && request.resourceType !== null && request.resourceId !== null
}

/** A part of a log, possibly filtered. */
export interface RequestsFound {
  /** Newest first. */
  readonly requests: readonly LoggedRequest[]
  /**
   * The position before which to continue; undefined at the end of the log. A part may be shorter than its limit and
   * still have one, when many requests were read.
   */
  readonly next: number | undefined
}

/** The directories that have refused a request about somebody. */
export interface RefusingDirectories {
  /** The newest directories first. */
  readonly directoryIds: readonly string[]
  /** Whether every directory was searched: a search ends after `maxNamingLogs` logs that have the name. */
  readonly isComplete: boolean
}

/** The number of logs with a name, in the scope or not, after which a search of a scope ends. */
export const maxNamingLogs = 1_000

/** The storage of the request log. A deleted directory has no log, even before its rows are removed. */
export interface RequestLogStore {
  /**
   * Adds requests to the log of a directory, and removes its oldest ones beyond `keep`. Resolves before they are safe
   * from a power failure.
   */
  addRequests(directoryId: string, requests: readonly RequestRecord[], keep: number): Promise<void>
  listRequests(directoryId: string, filter: RequestFilter, part: RequestPart): Promise<RequestsFound>
  /**
   * The requests with a status of 400 and above in the directories of a scope, those of the batches that were written last first: so
   * the order is by time, accurate to the second or so in which a batch is written. A scope with a directory has its tenant and
   * product, too.
   */
  refusedRequests(
    scope: DirectoryScope,
    status: NonNullable<RequestFilter['status']>,
    part: RefusedPart,
  ): Promise<RefusedFound>
  findRequest(id: string): Promise<FoundRequest | undefined>
  /** The directories of a scope that have a refused request with this folded subject. */
  directoriesRefusing(folded: string, scope: DirectoryScope): Promise<RefusingDirectories>
  /** Removes about `limit` requests that are older than a time, in whole batches. Returns the number. */
  pruneRequests(before: number, limit: number): Promise<number>
}
