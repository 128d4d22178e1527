import type { Endpoint } from '../../../../tools/fake-google/endpoint.ts'
import type { Fault } from '../../../../tools/fake-google/fault.ts'
import type { FakeRequest } from '../../../../tools/fake-google/request.ts'

/** The requests that fail: those that match all specified fields. */
export interface Place {
  readonly endpoint: Endpoint
  /** From 1; for lists only. */
  readonly page?: number
  readonly groupKey?: string
  readonly userKey?: string
}

/** The fields of a request that a place refers to. */
export type Asked = Pick<FakeRequest, 'endpoint' | 'page' | 'groupKey' | 'userKey'>

/** A hook of the fake that makes requests fail. */
export interface Injection {
  readonly onRequest: (request: Asked) => Fault | undefined
  /** The number of injected failures; without any, a test proves nothing. */
  injected(): number
}

/** Makes requests at a place fail, by default every time. */
export function failAt(place: Place, fault: Fault, times: number = Number.POSITIVE_INFINITY): Injection {
  let injected = 0
  return {
    onRequest(request) {
      if (injected >= times || !isAt(place, request)) return undefined
      injected += 1
      return fault
    },
    injected: () => injected,
  }
}

function isAt({ endpoint, page, groupKey, userKey }: Place, request: Asked): boolean {
  return (
    request.endpoint === endpoint &&
    (page === undefined || request.page === page) &&
    (groupKey === undefined || request.groupKey === groupKey) &&
    (userKey === undefined || request.userKey === userKey)
  )
}
