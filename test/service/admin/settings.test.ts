import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingTable } from '../../../src/app/settings.ts'
import type { SettingView } from '../../../src/http/context.ts'
import { assertApiError } from '../../support/errors.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { adminSettings, dataOf, login, rootToken } from './support/admin.ts'

test('admins read every setting in effect; secrets are only said to be set, and API keys read nothing', async () => {
  const secrets = {
    DSYNC_WEBHOOK_PROXY: 'http://user:hunter2@proxy.example:3128',
    DSYNC_EXTDIR_CLIENT_SECRET: 'hunter2',
  }
  const others = { DSYNC_EXTDIR_CLIENT_ID: 'id', NO_PROXY: '.svc,10.0.0.0/8', KEEP_ALIVE_SECONDS: '120' }
  await using service = await startTestService('sqlite', { ...adminSettings, ...secrets, ...others })
  const { admin } = await login(service)
  const answer = await admin('GET', '/settings')
  const settings = dataOf<SettingView[]>(answer)
  assert.deepEqual(
    settings.map(({ name }) => name),
    Object.keys(settingTable),
  )
  const shown = (name: string) => {
    const { value, is_default } = settings.find((one) => one.name === name) ?? {}
    return [value, is_default]
  }
  assert.deepEqual(shown('DSYNC_WEBHOOK_PROXY'), ['(set)', false])
  assert.deepEqual(shown('NO_PROXY'), ['.svc,10.0.0.0/8', false])
  assert.deepEqual(shown('KEEP_ALIVE_SECONDS'), ['120', false])
  assert.deepEqual(shown('DSYNC_WEBHOOK_CONCURRENCY'), ['32', true])
  assert.deepEqual(shown('OPERATOR_WEBHOOK_URL'), [null, true])
  for (const secret of ['hunter2', testApiKey, rootToken]) assert(!answer.text.includes(secret))

  const headers = { authorization: `Api-Key ${testApiKey}` }
  assertApiError(await service.request('GET', '/auditlog/admin/v1/settings', { headers }), 401)
})

test('a connection without a request stays open for KEEP_ALIVE_SECONDS', async () => {
  await using service = await startTestService('sqlite', { KEEP_ALIVE_SECONDS: '120' })
  const { headers } = await service.request('GET', '/healthz')
  assert.equal(headers['keep-alive'], 'timeout=120')
})
