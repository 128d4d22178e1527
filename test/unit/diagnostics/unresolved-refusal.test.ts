import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoggedRequests } from '../../../src/diagnostics/requests/listing.ts'
import type { LoggedRequest, RequestFilter, RequestPart } from '../../../src/diagnostics/requests/request-log-store.ts'
import { someRequest } from '../../contract/store/requests.ts'

const { body: _, ...record } = someRequest({ status: 409, subject: 'Ann' })
const refused: LoggedRequest = { ...record, position: 7 }

for (const { what, later, isShown } of [
  { what: 'none of the later requests succeeded', later: { requests: [], next: undefined }, isShown: true },
  { what: 'a later one succeeded', later: { requests: [{ ...refused, status: 201 }], next: 9 }, isShown: false },
  { what: 'more requests followed than a search reads', later: { requests: [], next: 5_000 }, isShown: false },
]) {
  test(`the last refused request of a directory is ${isShown ? '' : 'not '}shown when ${what}`, async () => {
    const asked: [RequestFilter, RequestPart][] = []
    const requests = createLoggedRequests({
      store: {
        async listRequests(_directoryId, filter, part) {
          asked.push([filter, part])
          return asked.length === 1 ? { requests: [refused], next: 7 } : later
        },
      },
      directories: { get: () => assert.fail('the directory is not read') },
      recorder: { flush: async () => {} },
    })
    const shown = await requests.unresolvedRefusal('d1')
    assert.equal(shown?.id, isShown ? refused.id : undefined)
    const [, [filter, part] = []] = asked
    assert.partialDeepStrictEqual(filter, { method: 'POST', status: { from: 200, to: 299 }, about: { subject: 'ann' } })
    assert.equal(part?.after, 7)
  })
}
