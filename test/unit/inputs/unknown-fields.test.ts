import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName, unknownFields } from '../../../src/inputs/unknown-fields.ts'

const known = ['name', 'tenant', 'product', 'webhook_url', 'webhook_secret', 'log_webhook_events', 'deactivated']

for (const [written, meant] of [
  ['webhookUrl', 'webhook_url'],
  ['WebhookURL', 'webhook_url'],
  ['webhook-url', 'webhook_url'],
  ['webhok_url', 'webhook_url'],
  ['webhook_uri', 'webhook_url'],
  ['webhookSecret', 'webhook_secret'],
  ['tennant', 'tenant'],
  ['deactivate', 'deactivated'],
  ['names', 'name'],
  ['nmae', 'name'],
  ['colour', undefined],
  ['x', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['webhook_url'.repeat(1000), undefined],
] as const) {
  test(`${written.slice(0, 20)} is probably ${meant ?? 'none of the known names'}`, () => {
    assert.equal(nearestName(written, known), meant)
  })
}

test('a field whose value is undefined counts as not sent', () => {
  assert.deepEqual(unknownFields(known, { colour: undefined }), [])
})
