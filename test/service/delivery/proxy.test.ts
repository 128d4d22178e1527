import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataOf, failed, hasten, statusOf } from '../../support/delivery.ts'
import { startProxy } from '../../support/proxy.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import { startTestService } from '../../support/service.ts'

/** The address of a receiver by a name that only the proxy can resolve. */
const byName = (url: string, name: string) => url.replace('127.0.0.1', name)

test('events and notices go through DSYNC_WEBHOOK_PROXY; while it refuses, they are retried as for an endpoint', async () => {
  await using receiver = await startReceiver()
  await using operator = await startReceiver()
  await using proxy = await startProxy('rollcall:secret')
  await using service = await startTestService('sqlite', {
    DSYNC_WEBHOOK_PROXY: proxy.url,
    OPERATOR_WEBHOOK_URL: byName(operator.endpoint.webhook_url, 'alerts.example'),
    OPERATOR_WEBHOOK_SECRET: testSecret,
  })
  const webhookUrl = byName(receiver.endpoint.webhook_url, 'events.example')
  const directory = await service.createDirectory({ ...receiver.endpoint, webhook_url: webhookUrl })
  const { host } = new URL(webhookUrl)

  proxy.refuse(403)
  await service.scim(directory, 'POST', '/Users', { userName: 'maya' })
  await failed(service, directory.id)
  const { state, failures, next_attempt_at: next } = await statusOf(service, directory.id)
  assert.deepEqual({ state, failures, isRetried: next !== null }, { state: 'failing', failures: 1, isRetried: true })
  const tested = dataOf(await service.api('POST', `/${directory.id}/test-event`))
  const error = `the proxy of DSYNC_WEBHOOK_PROXY did not connect to ${host}: it answered 403`
  assert.partialDeepStrictEqual(tested, { delivered: false, status_code: null, error })

  proxy.refuse(undefined)
  await hasten(service, directory.id)
  const [event] = await receiver.firstEvents(directory.id, 1)
  assert.equal(event?.event, 'user.created')
  receiver.answerWith(410)
  await service.scim(directory, 'POST', '/Users', { userName: 'omar' })
  await operator.until(() => operator.attempts.length > 0, 'a notice of the pause')
  assert.deepEqual(
    [...new Set(proxy.targets)].toSorted(),
    [host, new URL(byName(operator.endpoint.webhook_url, 'alerts.example')).host].toSorted(),
  )
  assert(!JSON.stringify(service.log).includes('rollcall:secret'))
})
