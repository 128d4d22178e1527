import type { OnEvent } from '../delivery/callback-sender.ts'
import { eventObject } from '../delivery/payload.ts'
import type { RequestView } from '../diagnostics/requests/view.ts'
import type { Trace } from '../diagnostics/trace/trace.ts'
import type { Directory } from '../directory/directory.ts'
import { scimPath } from '../directory/directory-view.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ErrorResponse } from '../error-response.ts'
import { errorResponseOf } from '../error-response.ts'
import { errorBody, ScimError } from '../scim/errors.ts'
import { wholeText } from '../scim/json-list.ts'
import { AccessRefused, bearerChallenge } from '../service-provider/access.ts'
import { discover } from '../service-provider/discovery.ts'
import { perform } from '../service-provider/operations.ts'
import type { ScimMethod, ScimResponse } from '../service-provider/request.ts'
import type { HandleRequest, HandleResponse } from './handle-request.ts'
import type { LibraryParts, ListQuery, OneDirectory } from './parts.ts'
import type { HandledRequest } from './recording.ts'
import { receiveRequest, recordHandled } from './recording.ts'
import { addressOf, methodsAt } from './request-address.ts'
import type { Result } from './result.ts'
import { listResult, resultOf } from './result.ts'

/** The requests of a directory to list, and the part of the list to read, in the API's field names. */
export interface RequestQuery extends OneDirectory, Pick<ListQuery, 'pageOffset' | 'pageLimit' | 'pageToken'> {
  /** A status code such as `409`, a class such as `4xx`, or `refused`. */
  readonly status?: string
  /** The userName, displayName or externalId that a request was about, or a prefix of it, in any letter case. */
  readonly subject?: string
  readonly method?: string
}

/** Handles SCIM requests that the product receives on its own routes, and reads the request log. */
export function requestCalls(parts: LibraryParts) {
  return {
    /**
     * Handles a SCIM request as the service does over HTTP, except for `/Bulk`. The callback is awaited for each event,
     * in order, after the commit; when it throws, this throws the same error, and the change stays. It is not called
     * for held events, which only `onEvent`, the endpoint and the feed receive after a release.
     */
    handle: (request: HandleRequest, callback?: OnEvent) => handle(parts, request, callback),
    /** The request log of a directory, newest first. */
    list: ({ directoryId, ...query }: RequestQuery) =>
      listResult<RequestView>(() => parts.requestLog.list(directoryId, query)),
    /** The effects of a request or sync run: its changes and events, and their deliveries. */
    trace: (query: TraceQuery) => trace(parts, query),
  }
}

const mediaType = { 'content-type': 'application/scim+json' } as const

/** The id of a request in the request log and in events. */
export interface TraceQuery {
  readonly id: string
  /** The number of events per page, 1 to 100. */
  readonly pageLimit?: number
  readonly pageToken?: string
}

async function trace({ traces }: LibraryParts, { id, ...query }: TraceQuery): Promise<Result<Trace>> {
  const result = await resultOf(() => traces.get(id, query, () => true))
  if (result.error !== null) return result
  const { data, pageToken } = result.data
  return { data, error: null, ...(pageToken === undefined ? {} : { pageToken }) }
}

async function handle(
  parts: LibraryParts,
  request: HandleRequest,
  callback: OnEvent | undefined,
): Promise<HandleResponse> {
  const handled = receiveRequest(parts, request.directoryId)
  let directory: Directory | undefined
  const outcome = await scimOutcome(async () => {
    directory = await authorize(parts, request, handled)
    return { directory, ...(await responseTo(parts, directory, request, handled)) }
  })
  const { status } = 'refusal' in outcome ? outcome.refusal : outcome
  if (directory !== undefined) {
    parts.activity.requested(request.directoryId, { isSuccess: status < 400, isRead: isRead(request) })
    const [error, response] = 'refusal' in outcome ? [outcome.refusal, undefined] : [undefined, outcome]
    recordHandled(parts, handled, request, { directory, status, error, response })
  }
  if ('refusal' in outcome) return refusalResponse(outcome.refusal, request.apiSecret)
  const { headers, body } = outcome
  await reportEvents(parts, outcome, outcome.directory, callback)
  if (body === undefined) return { status, headers, data: null }
  const text = await wholeText(body)
  const isHead = request.method.toUpperCase() === 'HEAD'
  return { status, headers: { ...headers, ...mediaType }, data: isHead ? null : JSON.parse(text) }
}

/** @throws DirectoryError as `DirectoryAccess.authorize` */
async function authorize(parts: LibraryParts, request: HandleRequest, handled: HandledRequest): Promise<Directory> {
  const { access, activity } = parts
  const { directoryId, apiSecret } = request
  try {
    return await access.authorize(directoryId, apiSecret)
  } catch (error) {
    const code = error instanceof DirectoryError ? error.code : undefined
    if (error instanceof AccessRefused) {
      const { problem } = error
      activity.rejected(directoryId, { address: undefined, hasSecret: apiSecret !== undefined, problem })
    }
    if (code === 'directory-deactivated') {
      activity.requested(directoryId, { isSuccess: false, isRead: false })
      const refusal = errorResponseOf(error)
      const directory = { id: directoryId, logScimRequests: false }
      recordHandled(parts, handled, request, { directory, status: 403, error: refusal, response: undefined })
    }
    throw error
  }
}

function isRead({ method, resourceType, resourceId = '' }: HandleRequest): boolean {
  return /^(get|head)$/i.test(method) || [resourceType, resourceId].includes('.search')
}

/** @throws ScimError, DirectoryError when the request is invalid or the change is not allowed */
async function responseTo(
  { serviceProvider }: LibraryParts,
  directory: Directory,
  { method, resourceType, resourceId = '', body, query = {}, ifMatch, ifNoneMatch, apiSecret }: HandleRequest,
  { id: requestId, receivedAt }: HandledRequest,
): Promise<ScimResponse> {
  const address = addressOf(resourceType, resourceId)
  const sent = method.toUpperCase()
  const allowed = methodsAt(address)
  const meant = allowed.find((one) => one === (sent === 'HEAD' ? 'GET' : sent))
  if (meant === undefined) return otherMethod(sent, allowed)
  if (address.kind === 'discovery') {
    const scimUrl = `${serviceProvider.externalUrl()}${scimPath(directory.id)}`
    const { scimProfile: profile = 'tolerant' } = directory
    const text = discover(address.endpoint, address.id, query, { scimUrl, maxPayloadSize, profile })
    return { status: 200, headers: {}, body: text, events: [] }
  }
  if (ArrayBuffer.isView(body))
    throw new ScimError(400, 'invalidSyntax', 'The body is bytes: decode it as UTF-8, and pass the parsed JSON.')
  const { endpoint, id } = address
  return perform(
    serviceProvider,
    { directory, secret: apiSecret },
    {
      ...{ method: meant, endpoint, resourceId: id, body, query, ifMatch, ifNoneMatch, requestId },
      receivedAt,
    },
  )
}

/**
 * The body limit that the configuration announces. The product's own route has a limit, which the library does not
 * know.
 */
const maxPayloadSize = 5_242_880

/** The response to OPTIONS and to methods that the address does not support (RFC 9110 §9.3.7, §15.5.6). */
function otherMethod(method: string, allowed: readonly ScimMethod[]): ScimResponse {
  const allow = allowed.join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: undefined, events: [] }
  const error = new ScimError(405, undefined, `This URL only supports ${allow}.`)
  return { status: 405, headers: { allow }, body: JSON.stringify(errorBody(error)), events: [] }
}

async function reportEvents(
  { holds }: LibraryParts,
  { events, furtherEvents }: Pick<ScimResponse, 'events' | 'furtherEvents'>,
  directory: Directory,
  callback: OnEvent | undefined,
): Promise<void> {
  if (callback === undefined) return
  for (const event of await holds.sendable(directory.id, events)) await callback(eventObject(event, directory))
  if (furtherEvents !== undefined)
    for await (const event of furtherEvents) await callback(eventObject(event, directory))
}

interface Refused {
  readonly refusal: ErrorResponse
}

/** Calls a function and catches errors of the caller. */
async function scimOutcome<T>(call: () => Promise<T>): Promise<T | Refused> {
  try {
    return await call()
  } catch (error) {
    const refusal = errorResponseOf(error)
    if (refusal === undefined) throw error
    return { refusal }
  }
}

function refusalResponse(
  { status, scimType, message, headers = {} }: ErrorResponse,
  credential: string | undefined,
): HandleResponse {
  const challenge = status === 401 ? { 'www-authenticate': bearerChallenge(credential, message) } : {}
  return {
    status,
    headers: { ...headers, ...challenge, ...mediaType },
    data: errorBody({ status, scimType, message }),
  }
}
