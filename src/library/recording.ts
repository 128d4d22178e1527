import type { Exchange } from '../diagnostics/requests/exchange.ts'
import { newRequestId } from '../ids/request-id.ts'
import type { HandleRequest } from './handle-request.ts'
import type { LibraryParts } from './parts.ts'

/** A request while it is handled. */
export interface HandledRequest {
  /** The id of the request in the request log, and in everything that it causes. */
  readonly id: string
  /** Unix milliseconds. */
  readonly receivedAt: number
}

export function receiveRequest({ clock }: LibraryParts, directoryId: string): HandledRequest {
  return { id: newRequestId(directoryId), receivedAt: clock.now() }
}

/** Adds a request of an authorized caller to the request log. The library knows neither address nor user agent. */
export function recordHandled(
  { recordRequest, clock }: LibraryParts,
  { id, receivedAt }: HandledRequest,
  request: HandleRequest,
  end: Pick<Exchange, 'directory' | 'status' | 'error' | 'response'>,
): void {
  recordRequest?.({
    ...end,
    ...{ id, at: receivedAt, method: request.method.toUpperCase(), path: pathOf(request), query: request.query ?? {} },
    ...{ body: request.body, isUnparseable: false, durationMs: Math.max(0, clock.now() - receivedAt) },
    ...{ userAgent: undefined, address: undefined },
  })
}

/** The path below the directory's SCIM address that the service would have received. */
function pathOf({ resourceType, resourceId = '', query = {} }: HandleRequest): string {
  const parts = [resourceType, ...(resourceId === '' ? [] : [resourceId])].map(encodeURIComponent)
  const parameters = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(`${value}`)}`,
  )
  return `/${parts.join('/')}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}
