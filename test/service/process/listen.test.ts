import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startCommand } from '../../support/command.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'
import { postSigned } from '../../unit/cli/support/fake-sender.ts'

/** A running `rollcall listen` on a free port. */
async function startListening(...argv: string[]) {
  const child = startCommand(['listen', '--port', '0', ...argv])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output)
      if (found !== null) return found
      await once(child.stdout, 'data')
    }
  }
  const [, url = ''] = await until(/"webhook_url": +"([^"]+)"/)
  const [, secret = ''] = await until(/"webhook_secret": +"([^"]+)"/)
  return {
    url,
    secret,
    until,
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      const [code] = await once(child, 'exit')
      return code
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
    },
  }
}

forEachEngine((engine) => {
  test('prints each event of a directory once its signature is verified', async () => {
    await using service = await startTestService(engine)
    await using listening = await startListening()
    const directory = await service.createDirectory({ webhook_url: listening.url, webhook_secret: listening.secret })
    const name = { givenName: 'Barbara', familyName: 'Jensen' }
    const user = await service.scim(directory, 'POST', '/Users', { userName: 'bjensen@example.com', name })
    await service.scim(directory, 'POST', '/Groups', { displayName: 'Tour', members: [{ value: user.body.id }] })
    await listening.until(/signature valid +3 +group\.user_added +Barbara Jensen: Tour\n/)
    assert.match(listening.output(), /signature valid +1 +user\.created +Barbara Jensen\n/)
    assert.match(listening.output(), /signature valid +2 +group\.created +Tour\n/)
    await service.scim(directory, 'PATCH', `/Users/${user.body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    })
    await listening.until(/signature valid +4 +user\.updated +Barbara Jensen \(deactivated\)\n/)
    await service.api('POST', `/${directory.id}/test-event`)
    await listening.until(/signature valid +0 +endpoint\.test\n/)
    assert.equal(await listening.stop(), 0)
  })
})

test('rejects and reports requests with another signature, or without an event', async () => {
  await using listening = await startListening('--secret', 'a secret of the product')
  assert.equal(listening.secret, 'a secret of the product')
  assert.equal(await postSigned(listening.url, 'whsec_AAAA', 'e1', '{}'), 401)
  await listening.until(/signature invalid: rejected with 401/)
  const own = `whsec_${Buffer.from(listening.secret).toString('base64')}`
  assert.equal(await postSigned(listening.url, own, 'e1', '{"hello":1}'), 400)
  await listening.until(/signature valid, but this is not an event/)
  assert.equal((await fetch(listening.url)).status, 405)
})

test('a name with control characters cannot change the terminal', async () => {
  await using listening = await startListening()
  const data = { id: 'u', first_name: 'Eve\u001b[2J', last_name: '' }
  const event = { id: 'e', sequence: 1, event: 'user.created', directory_id: 'd', created_at: '2026-01-01', data }
  assert.equal(await postSigned(listening.url, listening.secret, 'e', JSON.stringify(event)), 204)
  await listening.until(/Eve \[2J\n/)
})

test('forwards requests to the handler with their headers and body, and returns its responses', async () => {
  const receiver = await startReceiver()
  const { webhook_url: url, webhook_secret: secret } = receiver.endpoint
  await using listening = await startListening('--secret', secret, '--forward', url)
  const data = { id: 'u', first_name: 'Ada', last_name: 'Byron', email: '', active: true, raw: {} }
  const head = { id: 'e', event: 'user.created', tenant: 'acme', product: 'crm', directory_id: 'd' }
  const event = JSON.stringify({ ...head, sequence: 1, created_at: '2026-01-01T00:00:00.000Z', data })
  assert.equal(await postSigned(listening.url, secret, 'e', event), 204)
  await listening.until(/user\.created +Ada Byron +→ 204\n/)
  assert.deepEqual([receiver.attempts[0]?.body, receiver.attempts[0]?.headers['webhook-id']], [event, 'e'])
  receiver.answerWith(410)
  assert.equal(await postSigned(listening.url, secret, 'e', event), 410)
  await listening.until(/→ 410\n/)
  await receiver[Symbol.asyncDispose]()
  assert.equal(await postSigned(listening.url, secret, 'e', event), 502)
  await listening.until(/→ 502 \(http:\/\/127\.0\.0\.1:\d+\/events cannot be reached\)\n/)
})
