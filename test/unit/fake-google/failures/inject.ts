import type { Endpoint } from '../../../../tools/fake-google/endpoint.ts'
import type { Fault } from '../../../../tools/fake-google/fault.ts'
import type { FakeRequest } from '../../../../tools/fake-google/request.ts'

/** Which calls fail: all that match in everything that is given. */
export interface Place {
  readonly endpoint: Endpoint
  /** From 1; of lists only. */
  readonly page?: number
  readonly groupKey?: string
  readonly userKey?: string
}

/** What a request has to say about where it goes. */
export type Asked = Pick<FakeRequest, 'endpoint' | 'page' | 'groupKey' | 'userKey'>

/** A knob of the fake that makes calls fail. */
export interface Injection {
  readonly onRequest: (request: Asked) => Fault | undefined
  /** How many calls have failed by it; a test that finds none has proved nothing. */
  injected(): number
}

/** Makes calls at a place fail, so many times; every time unless that is given. */
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

/** Makes the call with that number fail, from 1 over all calls, wherever it goes. */
export function failNth(number: number, fault: Fault): Injection {
  let [asked, injected] = [0, 0]
  return {
    onRequest() {
      asked += 1
      if (asked !== number) return undefined
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
