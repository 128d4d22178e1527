import { randomUUID } from 'node:crypto'
import type { OnEvent } from '../delivery/callback-sender.ts'
import { eventObject } from '../delivery/payload.ts'
import type { Directory } from '../directory/directory.ts'
import { errorResponseOf } from '../error-response.ts'
import { errorBody } from '../scim/errors.ts'
import { perform } from '../service-provider/operations.ts'
import type { ScimRequest, ScimResponse } from '../service-provider/request.ts'
import type { LibraryParts } from './parts.ts'
import { wholeText } from './result.ts'

/** A SCIM request as the product's own route received it. */
export interface HandleRequest {
  readonly method: ScimRequest['method']
  readonly body?: unknown
  readonly directoryId: string
  readonly resourceId?: string
  readonly resourceType: 'users' | 'groups'
  /** The bearer token of the request. */
  readonly apiSecret: string | undefined
  readonly query?: Readonly<Record<string, unknown>>
  readonly ifMatch?: string
  readonly ifNoneMatch?: string
}

/** The response to send to the identity provider; `data` is null when it has no body. */
export interface HandleResponse {
  readonly status: number
  readonly data: unknown
}

/** Handles SCIM requests that the product receives on its own routes. */
export function requestCalls(parts: LibraryParts) {
  return {
    /**
     * Handles a SCIM request for users or groups. The callback is awaited for each event, in order, after the commit; when
     * it throws, this throws the same error, and the change stays.
     */
    handle: (request: HandleRequest, callback?: OnEvent) => handle(parts, request, callback),
  }
}

async function handle(
  { access, serviceProvider }: LibraryParts,
  { directoryId, apiSecret, query = {}, body, ...request }: HandleRequest,
  callback: OnEvent | undefined,
): Promise<HandleResponse> {
  const { method, resourceType, resourceId, ifMatch, ifNoneMatch } = request
  const collection = resourceType === 'users' ? '/Users' : '/Groups'
  const scimRequest: ScimRequest = {
    method,
    endpoint: resourceId === undefined ? collection : `${collection}/:id`,
    resourceId: resourceId ?? '',
    ...{ body, query, ifMatch, ifNoneMatch, requestId: randomUUID() },
  }
  const outcome = await scimOutcome(async () => {
    const directory = await access.authorize(directoryId, apiSecret)
    const response = await perform(serviceProvider, { directory, secret: apiSecret }, scimRequest)
    return { directory, ...response }
  })
  if ('data' in outcome) return outcome
  await reportEvents(outcome, outcome.directory, callback)
  const data = outcome.body === undefined ? null : JSON.parse(await wholeText(outcome.body))
  return { status: outcome.status, data }
}

async function reportEvents(
  { events, furtherEvents }: Pick<ScimResponse, 'events' | 'furtherEvents'>,
  directory: Directory,
  callback: OnEvent | undefined,
): Promise<void> {
  if (callback === undefined) return
  for (const event of events) await callback(eventObject(event, directory))
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
    const { status, scimType, message } = response
    return { status, data: errorBody({ status, scimType, message }) }
  }
}
