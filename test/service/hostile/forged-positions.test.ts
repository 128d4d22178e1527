import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

/** A cursor of the feed with a checksum that anybody can compute, and a sequence of this many bytes. */
function forgedCursor(directoryId: string, bytes: number): string {
  const tag = Buffer.from(hash('sha256', directoryId, 'hex').slice(0, 12), 'hex')
  const entries = Buffer.concat([tag, Buffer.alloc(bytes - 1, 0x80), Buffer.of(1)])
  const scope = JSON.stringify([null, null, directoryId])
  const checksum = hash('sha256', Buffer.concat([Buffer.from(scope), entries]), 'buffer').subarray(0, 6)
  return Buffer.concat([Buffer.of(1), checksum, entries]).toString('base64url')
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  for (const bytes of [1, 9, 20, 200]) {
    test(`a forged cursor of the feed with a sequence of ${bytes} bytes is rejected`, async () => {
      const { id } = await service().createDirectory()
      const query = `/feed?directoryId=${id}&after=${forgedCursor(id, bytes)}`
      const { status, body } = await service().api('GET', query)
      assert.deepEqual([status, body.error.problems?.map(({ field }) => field)], [400, ['after']])
      const streamed = await service().api('GET', query, undefined, { accept: 'text/event-stream' })
      assert.equal(streamed.status, 400)
    })
  }

  test('a cursor of another scope is rejected, and one of the service is accepted after a change of the scope back', async () => {
    const [one, other] = [await service().createDirectory(), await service().createDirectory()]
    const { next } = (await service().api('GET', `/feed?directoryId=${one.id}`)).body as unknown as { next: string }
    assert.equal((await service().api('GET', `/feed?directoryId=${other.id}&after=${next}`)).status, 400)
    assert.equal((await service().api('GET', `/feed?directoryId=${one.id}&after=${next}`)).status, 200)
  })

  for (const field of ['sequence', 'from_sequence']) {
    for (const value of [1e300, 2 ** 63, 2 ** 53, 0, -1, 1.5]) {
      test(`replay rejects ${field} ${value}`, async () => {
        const { id } = await service().createDirectory({ webhook_url: 'https://203.0.113.7/' })
        const { status, text } = await service().api('POST', `/${id}/replay`, { [field]: value })
        assert.equal(status, 400, text)
      })
    }

    test(`replay accepts the largest ${field}`, async () => {
      const { id } = await service().createDirectory({ webhook_url: 'https://203.0.113.7/' })
      const { status } = await service().api('POST', `/${id}/replay`, { [field]: Number.MAX_SAFE_INTEGER })
      assert.equal(status, field === 'sequence' ? 404 : 200)
    })
  }

  for (const after of ['0', '999999999', '9007199254740991', '99999999999999999999', '1e300', '-1']) {
    test(`a list of dead events does not fail because of after=${after}`, async () => {
      const { id } = await service().createDirectory()
      const { status, text } = await service().api('GET', `/${id}/dead-events?after=${after}`)
      assert([200, 400].includes(status), text)
    })
  }

  for (const token of [
    [1e300, 'a', 1, 'b'],
    [1, 'a', Number.MAX_SAFE_INTEGER, 'b'],
    [-Number.MAX_SAFE_INTEGER, 'a', -1, 'b'],
    [1, 'a', null, 'b'],
    [1, '\0', 1, 'b'],
  ]) {
    test(`no list fails because of the page token ${JSON.stringify(token)}`, async () => {
      const { id } = await service().createDirectory()
      const text = Buffer.from(JSON.stringify(token)).toString('base64url')
      const lists = ['users?', 'groups?', 'events?', '?tenant=acme&product=crm&', 'product?product=crm&']
      for (const list of lists) {
        const scope = list.includes('=') ? '' : `directoryId=${id}&`
        const path = `/${list}${scope}pageToken=${text}&pageLimit=5`.replace('/?', '?')
        const { status, text: answer } = await service().api('GET', path)
        assert([200, 400].includes(status), `${path} ${answer}`)
      }
    })
  }
})
