import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupBody } from '../../../../src/google/mapping/group.ts'
import { team } from '../sync/support/people.ts'

const google = 'urn:rollcall:params:scim:schemas:extension:google:2.0:Group'

test('a Google group is mapped to a SCIM group without members', () => {
  assert.deepEqual(groupBody(team('press', { name: 'Press', description: 'Tells the world' })), {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Press',
    externalId: 'press',
    [google]: { email: 'press@acme.example', description: 'Tells the world' },
  })
})

test('a group without a name gets its email address as displayName', () => {
  assert.equal(groupBody(team('press', { name: '' }))['displayName'], 'press@acme.example')
})

test('a long name and a long description are truncated', () => {
  const body = groupBody(team('press', { name: 'x'.repeat(600), description: 'y'.repeat(5000) }))
  assert.equal(String(body['displayName']).length, 512)
  assert.deepEqual(body[google], { email: 'press@acme.example', description: 'y'.repeat(4096) })
})
