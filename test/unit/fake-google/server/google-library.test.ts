import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin_directory_v1 } from '@googleapis/admin'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'

test("Google's own client reads users, groups and members", async () => {
  await using fake = await startFakeGoogle()
  const nora = fake.addUser({ primaryEmail: 'nora@example.com' })
  const press = fake.addGroup({ email: 'press@example.com' })
  fake.addUserToGroup(press.id, nora.id)
  const options = { rootUrl: fake.apiUrl, headers: { authorization: `Bearer ${fake.issueTokens().accessToken}` } }
  const api = new admin_directory_v1.Admin({})
  const users = await api.users.list({ customer: 'my_customer', maxResults: 500 }, options)
  const groups = await api.groups.list({ customer: 'my_customer', maxResults: 200 }, options)
  const members = await api.members.list({ groupKey: 'press@example.com', maxResults: 200 }, options)
  const found = await api.members.hasMember({ groupKey: press.id, memberKey: nora.id }, options)
  assert.equal(users.data.users?.[0]?.id, nora.id)
  assert.equal(groups.data.groups?.[0]?.id, press.id)
  assert.equal(members.data.members?.[0]?.id, nora.id)
  assert.equal(found.data.isMember, true)
})
