import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { storedText } from '../../support/stored-text.ts'
import { openLink } from '../api/support/setup-link.ts'

const value = 'k-of-the-gateway-3f6b1c'
const webhook_headers = { 'X-Gateway-Key': value, 'x-region': 'eu-central' }
function assertRefused(answer: Answer, message: RegExp, status = 400): void {
  assertApiError(answer, status)
  assert.match(answer.body.error.message, message)
}

const keys = ({ attempts }: Receiver) => attempts.map(({ headers }) => headers['x-gateway-key'])

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('every request to the endpoint has its headers: events, repetitions, replays and tests', async () => {
    await using receiver = await startReceiver()
    const directory = await service().createDirectory({ ...receiver.endpoint, webhook_headers })
    receiver.answerWith(400)
    await service().scim(directory, 'POST', '/Users', { userName: 'maya' })
    await receiver.until(() => receiver.attempts.length === 1)
    receiver.answerWith(204)
    await service().api('PATCH', `/${directory.id}`, { name: 'repeats at once' })
    await receiver.until(() => receiver.attempts.length === 2)
    await service().api('POST', `/${directory.id}/replay`, { sequence: 1 })
    await receiver.until(() => receiver.attempts.length === 3)
    await service().api('POST', `/${directory.id}/test-event`)
    await receiver.until(() => receiver.attempts.length === 4)
    assert.deepEqual(keys(receiver), [value, value, value, value])
    assert.equal(receiver.attempts[0]?.headers['x-region'], 'eu-central')
  })

  test('the values are in no answer, log line, delivery record or stored text', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith({ status: 400, headers: {}, body: `your headers: x-gateway-key: ${value}` })
    const given = { ...receiver.endpoint, webhook_headers, log_webhook_events: true }
    const directory = await service().createDirectory(given)
    assert.deepEqual(directory?.webhook.headers, ['X-Gateway-Key', 'x-region'])
    await service().scim(directory, 'POST', '/Users', { userName: 'omar' })
    await receiver.until(() => receiver.attempts.length === 1)
    const log = () => service().api('GET', `/events?directoryId=${directory.id}`)
    await eventually('the delivery is logged', async () =>
      (await log()).text.includes('your headers: x-gateway-key: …'),
    )
    // The change repeats the event at once, with the new value: no endpoint would return the former one.
    receiver.answerWith({ status: 400, headers: {}, body: `your headers: x-gateway-key: ${value}-2` })
    await service().api('PATCH', `/${directory.id}`, { webhook_headers: { 'X-Gateway-Key': `${value}-2` } })
    await receiver.until(() => receiver.attempts.length === 2)
    const answers = await Promise.all([
      service().api('GET', `/${directory.id}`),
      log(),
      service().api('GET', `/${directory.id}/delivery`),
    ])
    const seen = JSON.stringify([answers, service().log])
    assert.equal(seen.includes(value), false, seen)
    assert.equal((await storedText(service())).includes(value), false)
  })

  test('an invalid header is refused by name, without its value', async () => {
    const directory = await service().createDirectory({ webhook_url: 'https://app.example.com/events' })
    const refused = await service().api('PATCH', `/${directory.id}`, {
      webhook_headers: { Host: 'internal', 'X-A': 'ü' },
    })
    assertRefused(refused, /Host cannot be set/)
    assert.equal(JSON.stringify(refused.body).includes('ü'), false)
    assertRefused(await service().api('PATCH', `/${directory.id}`, { webhook_headers: { 'X-A': 1 } }), /an object/)
    assertRefused(await service().api('PATCH', `/${directory.id}`, { webhook_headers: ['X-A'] }), /an object/)
  })

  test('the headers of a setup link are those of the directory that it makes', async () => {
    const scope = { tenant: `linked-${engine}`, product: 'crm' }
    const fields = { ...scope, webhook_url: 'https://app.example.com/events', webhook_headers }
    const { link, call } = await openLink(service(), fields)
    assert.deepEqual(link.webhook_headers, ['X-Gateway-Key', 'x-region'])
    const other = { ...fields, webhook_headers: { 'X-Gateway-Key': 'another' } }
    assertRefused(await service().api('POST', '/setuplinks', other), /differs in webhook_headers/, 409)
    const made = await call('POST', '/directory', { type: 'okta-scim-v2' })
    assert.equal(made.text.includes(value), false)
    const [directory] = (await service().api('GET', `?tenant=${scope.tenant}&product=crm`)).body.data
    assert.deepEqual(directory?.webhook.headers, ['X-Gateway-Key', 'x-region'])
  })
})
