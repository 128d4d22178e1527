import { randomUUID } from 'node:crypto'
import type { OnEvent } from '../delivery/callback-sender.ts'
import { eventObject } from '../delivery/payload.ts'
import type { Directory } from '../directory/directory.ts'
import { scimPath } from '../directory/directory-view.ts'
import { DirectoryError } from '../directory/errors.ts'
import { errorResponseOf } from '../error-response.ts'
import { errorBody, ScimError } from '../scim/errors.ts'
import { discover } from '../service-provider/discovery.ts'
import { perform } from '../service-provider/operations.ts'
import type { ScimMethod, ScimResponse } from '../service-provider/request.ts'
import type { LibraryParts } from './parts.ts'
import { addressOf, methodsAt } from './request-address.ts'
import { wholeText } from './result.ts'

/** A SCIM request as the product's own route received it. */
export interface HandleRequest {
  /** In any letter case. */
  readonly method: string
  readonly body?: unknown
  readonly directoryId: string
  /** What follows the resource type in the path; undefined or empty for the collection. */
  readonly resourceId?: string | undefined
  /** `users` or `groups`, or what else follows the directory in the path, such as `Schemas`; in any letter case. */
  readonly resourceType: string
  /** The bearer token of the request. */
  readonly apiSecret: string | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** The response to send to the identity provider. */
export interface HandleResponse {
  readonly status: number
  /** `ETag`, `Location`, `Allow` and others, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Null when the response has no body. */
  readonly data: unknown
}

/** Handles SCIM requests that the product receives on its own routes. */
export function requestCalls(parts: LibraryParts) {
  return {
    /**
     * Handles a SCIM request as the service does over HTTP, except for `/Bulk`. The callback is awaited for each event, in
     * order, after the commit; when it throws, this throws the same error, and the change stays. It is not called for held
     * events, which only `onEvent`, the endpoint and the feed receive after a release.
     */
    handle: (request: HandleRequest, callback?: OnEvent) => handle(parts, request, callback),
  }
}

const mediaType = { 'content-type': 'application/scim+json' } as const

async function handle(
  parts: LibraryParts,
  request: HandleRequest,
  callback: OnEvent | undefined,
): Promise<HandleResponse> {
  const receivedAt = Date.now()
  let isAuthorized = false
  const outcome = await scimOutcome(async () => {
    const directory = await authorize(parts, request)
    isAuthorized = true
    return { directory, ...(await responseTo(parts, directory, request, receivedAt)) }
  })
  if (isAuthorized)
    parts.activity.requested(request.directoryId, { isSuccess: outcome.status < 400, isRead: isRead(request) })
  if ('data' in outcome) return outcome
  const { status, headers, body } = outcome
  await reportEvents(parts, outcome, outcome.directory, callback)
  if (body === undefined) return { status, headers, data: null }
  const text = await wholeText(body)
  const isHead = request.method.toUpperCase() === 'HEAD'
  return { status, headers: { ...headers, ...mediaType }, data: isHead ? null : JSON.parse(text) }
}

/** @throws DirectoryError as `DirectoryAccess.authorize` */
async function authorize({ access, activity }: LibraryParts, { directoryId, apiSecret }: HandleRequest) {
  try {
    return await access.authorize(directoryId, apiSecret)
  } catch (error) {
    const code = error instanceof DirectoryError ? error.code : undefined
    if (code === 'unauthorized')
      activity.rejected(directoryId, { address: undefined, hasSecret: apiSecret !== undefined })
    if (code === 'directory-deactivated') activity.requested(directoryId, { isSuccess: false, isRead: false })
    throw error
  }
}

function isRead({ method, resourceType, resourceId = '' }: HandleRequest): boolean {
  return /^(get|head)$/i.test(method) || [resourceType, resourceId].includes('.search')
}

/** @throws ScimError, DirectoryError when the request is wrong or the change is not allowed */
async function responseTo(
  { serviceProvider }: LibraryParts,
  directory: Directory,
  { method, resourceType, resourceId = '', body, query = {}, ifMatch, ifNoneMatch, apiSecret }: HandleRequest,
  receivedAt: number,
): Promise<ScimResponse> {
  const address = addressOf(resourceType, resourceId)
  const sent = method.toUpperCase()
  const allowed = methodsAt(address)
  const meant = allowed.find((one) => one === (sent === 'HEAD' ? 'GET' : sent))
  if (meant === undefined) return otherMethod(sent, allowed)
  if (address.kind === 'discovery') {
    const scimUrl = `${serviceProvider.externalUrl()}${scimPath(directory.id)}`
    const text = discover(address.endpoint, address.id, query, { scimUrl, maxPayloadSize })
    return { status: 200, headers: {}, body: text, events: [] }
  }
  const { endpoint, id } = address
  return perform(
    serviceProvider,
    { directory, secret: apiSecret },
    {
      ...{ method: meant, endpoint, resourceId: id, body, query, ifMatch, ifNoneMatch, requestId: randomUUID() },
      receivedAt,
    },
  )
}

/** The body limit that the configuration announces: the product's own route has one, which the library does not know. */
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

/** Calls a function and turns errors of the caller into SCIM error responses. */
async function scimOutcome<T>(call: () => Promise<T>): Promise<T | HandleResponse> {
  try {
    return await call()
  } catch (error) {
    const response = errorResponseOf(error)
    if (response === undefined) throw error
    const { status, scimType, message, headers = {} } = response
    const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="SCIM"' } : {}
    return {
      status,
      headers: { ...headers, ...challenge, ...mediaType },
      data: errorBody({ status, scimType, message }),
    }
  }
}
