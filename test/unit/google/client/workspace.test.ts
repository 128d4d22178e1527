import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedGoogle } from './support/scripted-google.ts'
import { workspaceAt } from './support/workspace-at.ts'

const noUsers = { body: { kind: 'admin#directory#users' } }
const noGroups = { body: { kind: 'admin#directory#groups' } }
const noMembers = { body: { kind: 'admin#directory#members' } }
const nora = { id: '1', primaryEmail: 'nora@example.com', name: { givenName: 'Nora' }, suspended: true }

test('users are requested in the largest pages with the needed fields only', async () => {
  await using google = await scriptedGoogle([noUsers])
  await workspaceAt(google.url).workspace.listUsers()
  const [request] = google.arrived
  assert.equal(request?.path, '/admin/directory/v1/users')
  assert.deepEqual(Object.fromEntries(request?.query ?? []), {
    customer: 'my_customer',
    maxResults: '500',
    projection: 'basic',
    fields:
      'kind,nextPageToken,users(id,primaryEmail,name,suspended,archived,isAdmin,orgUnitPath,emails,phones,addresses,organizations,externalIds,relations,customerId)',
  })
})

test('with a domain, users are requested by domain instead of customer', async () => {
  await using google = await scriptedGoogle([noUsers])
  await workspaceAt(google.url, { domain: 'example.com' }).workspace.listUsers()
  const query = google.arrived[0]?.query
  assert.deepEqual([query?.get('domain'), query?.get('customer')], ['example.com', null])
})

test('a further page is requested with the same parameters and its token', async () => {
  await using google = await scriptedGoogle([noUsers])
  const { workspace } = workspaceAt(google.url)
  await workspace.listUsers()
  await workspace.listUsers('a/b+c==')
  const [first, second] = google.arrived.map(({ query }) => Object.fromEntries(query))
  assert.deepEqual(second, { ...first, pageToken: 'a/b+c==' })
})

test('a page of users is read', async () => {
  const body = { kind: 'admin#directory#users', users: [nora], nextPageToken: 'next' }
  await using google = await scriptedGoogle([{ body }])
  const page = await workspaceAt(google.url).workspace.listUsers()
  assert.deepEqual([page.items.map(({ givenName }) => givenName), page.nextPageToken], [['Nora'], 'next'])
})

test('groups are requested two hundred at a time', async () => {
  await using google = await scriptedGoogle([noGroups])
  await workspaceAt(google.url).workspace.listGroups('p2')
  const [request] = google.arrived
  assert.equal(request?.path, '/admin/directory/v1/groups')
  assert.deepEqual(Object.fromEntries(request?.query ?? []), {
    customer: 'my_customer',
    maxResults: '200',
    fields: 'kind,nextPageToken,groups(id,email,name,description)',
    pageToken: 'p2',
  })
})

test('direct members are requested two hundred at a time', async () => {
  await using google = await scriptedGoogle([noMembers])
  await workspaceAt(google.url, { domain: 'example.com' }).workspace.listMembers('g1')
  const [request] = google.arrived
  assert.equal(request?.path, '/admin/directory/v1/groups/g1/members')
  assert.deepEqual(Object.fromEntries(request?.query ?? []), {
    maxResults: '200',
    fields: 'kind,nextPageToken,members(id,type)',
  })
})

test('an id cannot change the path of a request', async () => {
  await using google = await scriptedGoogle([noMembers])
  await workspaceAt(google.url).workspace.listMembers('../users/1?x#')
  assert.equal(google.arrived[0]?.path, '/admin/directory/v1/groups/..%2Fusers%2F1%3Fx%23/members')
})

test('the API URL may contain a path', async () => {
  await using google = await scriptedGoogle([noUsers])
  await workspaceAt(`${google.url}/google/api`).workspace.listUsers()
  assert.equal(google.arrived[0]?.path, '/google/api/admin/directory/v1/users')
})

test('requests carry the token, and each is counted', async () => {
  await using google = await scriptedGoogle([noUsers])
  const { workspace, counted } = workspaceAt(google.url)
  await workspace.listUsers()
  await workspace.listUsers('p2')
  assert.deepEqual(
    google.arrived.map(({ headers }) => headers.authorization),
    Array(2).fill('Bearer first-token'),
  )
  assert.equal(counted.requests, 2)
})

test('a user is read by id', async () => {
  await using google = await scriptedGoogle([{ body: nora }])
  const user = await workspaceAt(google.url).workspace.getUser('1')
  assert.deepEqual([user?.primaryEmail, user?.suspended], ['nora@example.com', true])
  assert.equal(google.arrived[0]?.path, '/admin/directory/v1/users/1')
})

test('a group is read by id', async () => {
  await using google = await scriptedGoogle([{ body: { id: 'g1', name: 'Press' } }])
  assert.equal((await workspaceAt(google.url).workspace.getGroup('g1'))?.name, 'Press')
  assert.equal(google.arrived[0]?.path, '/admin/directory/v1/groups/g1')
})

for (const isMember of [true, false]) {
  test(`a membership that is ${isMember} is returned as such`, async () => {
    await using google = await scriptedGoogle([{ body: { isMember } }])
    assert.equal(await workspaceAt(google.url).workspace.hasMember('g1', '1'), isMember)
    assert.equal(google.arrived[0]?.path, '/admin/directory/v1/groups/g1/hasMember/1')
  })
}
