import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { startTestService } from '../../support/service.ts'

test('a large body waits while its tenant sends many others; small requests do not', async () => {
  await using service = await startTestService('sqlite', { SCIM_BODY_LIMIT: '100000' })
  const directory = await service.createDirectory()
  const { endpoint, secret } = directory.scim

  /** Begins a request whose body does not end. */
  async function beginBody() {
    const headers = {
      ...{ authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...{ 'transfer-encoding': 'chunked', expect: '100-continue' },
    }
    const request = httpRequest(`${endpoint}/Users`, { method: 'POST', headers })
    request.on('error', () => {})
    request.flushHeaders()
    await once(request, 'continue')
    request.write('{')
    return request
  }

  // Each counts as a body of the largest size and an ordinary response.
  const begun = []
  for (let n = 0; n < 4; n += 1) begun.push(await beginBody())
  const small = () => service.scim(directory, 'GET', '/Users?count=1')
  assert.equal((await small()).status, 200)
  let isAnswered = false
  const body = { userName: 'large', nickName: 'x'.repeat(80_000) }
  const large = service.scim(directory, 'POST', '/Users', body).finally(() => {
    isAnswered = true
  })
  for (let n = 0; n < 10; n += 1) assert.equal((await small()).status, 200)
  assert.equal(isAnswered, false)
  begun[0]?.destroy()
  assert.equal((await large).status, 201)
  for (const request of begun) request.destroy()
})
