import assert from 'node:assert/strict'
import { test } from 'node:test'
import { polisProviders } from '../../../src/polis/compat/directories.ts'
import { polisEvent } from '../../../src/polis/compat/events.ts'
import { withApiKeyScheme } from '../../../src/polis/compat/http/edge.ts'
import { polisPage } from '../../../src/polis/compat/paging.ts'

for (const [header, sent] of [
  ['Bearer key', 'Api-Key key'],
  ['Api-Key  key', 'Api-Key key'],
  ['Token key further', 'Api-Key key'],
  ['key', 'key'],
  ['Bearer a.b.c', 'Bearer a.b.c'],
  ['id=1 token=2 admin_token=3', 'id=1 token=2 admin_token=3'],
] as const) {
  test(`Authorization: ${header} is sent on as ${sent}`, () => assert.equal(withApiKeyScheme(header), sent))
}

for (const [query, page] of [
  [{}, { offset: 0, limit: 50, token: undefined }],
  [
    { pageOffset: '50', pageLimit: '25' },
    { offset: 50, limit: 25, token: undefined },
  ],
  [
    { offset: 2, limit: 3 },
    { offset: 2, limit: 3, token: undefined },
  ],
  [
    { pageOffset: 'x', pageLimit: '0' },
    { offset: 0, limit: 50, token: undefined },
  ],
  [
    { pageLimit: '1e9', pageToken: 'undefined' },
    { offset: 0, limit: 1000, token: undefined },
  ],
  [{ pageToken: 'abc' }, { offset: 0, limit: 50, token: 'abc' }],
] as const) {
  test(`the page of ${JSON.stringify(query)}`, () => assert.deepEqual(polisPage(query), page))
}

test('events of users, groups and members have the forms of Polis; others stay as they are', () => {
  const user = { email: 'b@x', raw: { userName: 'n', emails: [{ value: 'a@x' }], roles: [{ value: 'viewer,editor' }] } }
  const shown = { ...user, email: 'a@x', roles: ['viewer', 'editor'] }
  const [group, shownGroup] = [
    { name: 'Team', raw: {} },
    { name: 'Team', raw: { members: [] } },
  ]
  const dataOf = (event: string, data: object) => polisEvent({ event, data }).data
  assert.deepEqual(dataOf('user.snapshot', user), shown)
  assert.deepEqual(dataOf('group.updated', group), shownGroup)
  for (const event of ['group.user_added', 'group.user_removed', 'member.snapshot'])
    assert.deepEqual(dataOf(event, { ...user, group }), { ...shown, group: shownGroup })
  assert.deepEqual(dataOf('sync.started', { users: 1 }), { users: 1 })
  assert.deepEqual(dataOf('user.deleted', { id: 'a', erased: true }), { id: 'a', erased: true })
})

test('the types of Polis have its labels, and those of Rollcall their own', () => {
  assert.equal(polisProviders['google'], 'Google')
  assert.equal(polisProviders['pingone-scim-v2'], 'PingOne SCIM v2.0')
  assert.equal(polisProviders['extdir'], undefined)
})
