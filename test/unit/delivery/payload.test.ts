import assert from 'node:assert/strict'
import test from 'node:test'
import { eventObject, eventPayload } from '../../../src/delivery/payload.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import { someDirectory, someEvent } from './support/samples.ts'

const changes = { userName: { from: 'zoe', to: 'zoé' } }

test('the payload contains the stored texts unchanged', () => {
  assert.equal(
    eventPayload(someEvent(), someDirectory()),
    '{"id":"event-1","sequence":1,"event":"user.created","tenant":"acme","product":"crm","directory_id":"d1",' +
      '"request_id":"request-1","created_at":"2026-01-02T03:04:05.006Z","data":{"id":"u1","first_name":"Zoë","raw":{"userName":"zoe"}}}',
  )
})

for (const { name, event } of [
  { name: 'a creation', event: someEvent() },
  { name: 'an update with its changes', event: someEvent({ eventType: 'user.updated', changes: toJsonText(changes) }) },
]) {
  test(`${name} is the same as text and as an object`, () => {
    const directory = someDirectory({ tenant: 'a "quoted" tenant\n' })
    assert.deepEqual(JSON.parse(eventPayload(event, directory)), eventObject(event, directory))
  })
}

test('only updates have changes', () => {
  const updated = eventObject(someEvent({ changes: toJsonText(changes) }), someDirectory())
  assert.deepEqual('changes' in updated && updated.changes, changes)
  assert.equal('changes' in eventObject(someEvent(), someDirectory()), false)
})
