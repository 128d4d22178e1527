import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Explanation } from '../../../src/diagnostics/explain/explanation.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { failed, statusWhen } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'

const maya = { userName: 'Maya', externalId: 'E-1', emails: [{ value: 'maya@acme.example', primary: true }] }
const patchSchemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']

forEachEngine((engine) => {
  let service: TestService
  let consumer: Receiver
  before(async () => {
    consumer = await startReceiver()
    service = await startTestService(engine)
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await consumer[Symbol.asyncDispose]()
  })

  const connect = (fields = {}) => service.createDirectory({ ...consumer.endpoint, ...fields })
  const send = (directory: DirectoryView, method: string, path: string, body?: unknown) =>
    service.scim(directory, method, path, body)

  async function create(directory: DirectoryView, path: string, body: object): Promise<string> {
    const { status, body: created } = await send(directory, 'POST', path, body)
    assert.equal(status, 201)
    return created.id
  }

  async function explain(query: Readonly<Record<string, string>>): Promise<Explanation> {
    const { status, body, text } = await service.api('GET', `/explain?${new URLSearchParams(query)}`)
    assert.equal(status, 200, text)
    return body.data as unknown as Explanation
  }
  const about = ({ id }: DirectoryView, subject: string) => explain({ directoryId: id, subject })
  const delivered = ({ id }: DirectoryView) => statusWhen(service, id, ({ undelivered }) => undelivered === 0)

  test('a user who was rejected as a duplicate is explained as refused, with the existing user in the evidence', async () => {
    const directory = await connect()
    const id = await create(directory, '/Users', maya)
    await delivered(directory)
    assert.equal((await send(directory, 'POST', '/Users', { ...maya, userName: 'MAYA' })).status, 409)
    const answer = await about(directory, 'maya')
    assert.equal(answer.verdict, 'refused')
    assert.match(answer.sentence, new RegExp(`refused with 409: .* belongs to the user ${id}, created on `))
    assert.deepEqual(answer.subject, { type: 'User', id, name: 'Maya' })
    const kinds = answer.evidence.map((entry) => (entry.kind === 'request' ? entry.status : entry.kind))
    assert.deepEqual(kinds, [409, 'delivery', 'event', 'change', 201])
    assert.equal(answer.at, answer.evidence[0]?.at)
  })

  test('a user whom the identity provider only looked up is explained, and so is one whom it never sent', async () => {
    const directory = await connect({ type: 'azure-scim-v2' })
    assert.match((await about(directory, 'maya')).sentence, /has not sent any requests yet/)
    await send(directory, 'GET', `/Users?filter=${encodeURIComponent('userName eq "maya"')}`)
    const answer = await about(directory, 'MAYA')
    assert.deepEqual([answer.verdict, answer.subject, answer.evidence.length], ['looked-up-only', null, 1])
    assert.match(answer.advice, /Provision on demand/)
    const other = await about(directory, 'omar')
    assert.deepEqual([other.verdict, other.at, other.evidence], ['never-sent', null, []])
    assert.match(other.sentence, /has no user or group omar, .* its last request arrived on/)
  })

  test('a user who did not arrive because of a wrong secret is explained', async () => {
    const directory = await connect()
    await send(directory, 'GET', '/ServiceProviderConfig')
    const mistaken = { scim: { ...directory.scim, secret: 'another secret' } }
    for (let attempt = 1; attempt <= 2; attempt += 1)
      assert.equal((await service.scim(mistaken, 'POST', '/Users', maya)).status, 401)
    const answer = await about(directory, 'maya')
    assert.equal(answer.verdict, 'unauthorized')
    assert.match(answer.sentence, /^Since \d.* wrong secret or none: 2 requests, the last one on/)
    await create(directory, '/Users', maya)
    await delivered(directory)
    assert.equal((await about(directory, 'maya')).verdict, 'delivered')
    await service.scim(mistaken, 'POST', '/Users', maya)
    assert.match((await about(directory, 'maya')).sentence, /later changes have not arrived\.$/)
  })

  test('a failing endpoint, a pause and a deactivated directory are explained', async () => {
    const directory = await connect()
    consumer.answer(({ directory_id: id }) => (id === directory.id ? 503 : 204))
    await create(directory, '/Users', maya)
    await failed(service, directory.id)
    assert.equal((await about(directory, 'maya')).verdict, 'failing')
    await service.api('POST', `/${directory.id}/pause`)
    const paused = await about(directory, 'maya')
    assert.deepEqual([paused.verdict, /has been paused since/.test(paused.sentence)], ['failing', true])
    await service.api('PATCH', `/${directory.id}`, { deactivated: true })
    assert.equal((await about(directory, 'maya')).verdict, 'deactivated')
    const other = await connect()
    await service.api('POST', `/${other.id}/pause`)
    await create(other, '/Users', maya)
    assert.equal((await about(other, 'maya')).verdict, 'waiting')
    const silent = await service.createDirectory()
    await create(silent, '/Users', maya)
    assert.match((await about(silent, 'maya')).sentence, /the directory has no endpoint/)
    await service.api('GET', `/feed?directoryId=${silent.id}`)
    assert.match((await about(silent, 'maya')).sentence, /has read it from the feed/)
  })

  test('a dead event is explained', async () => {
    const directory = await connect()
    await create(directory, '/Users', maya)
    await delivered(directory)
    consumer.answerWith(400)
    await service.api('POST', `/${directory.id}/replay`, { sequence: 1 })
    await statusWhen(service, directory.id, ({ dead_events: dead }) => dead === 1)
    consumer.answerWith(204)
    const answer = await about(directory, 'maya@acme.example')
    assert.equal(answer.verdict, 'dead')
    assert.match(answer.action?.call ?? '', /^POST \/[\w-]+\/replay \{"sequence": 1\}$/)
    assert.partialDeepStrictEqual(answer.evidence[0], { kind: 'delivery', sequence: 1, status: 400 })
  })

  test('a user and a group are found by every name and by id, also after they were deleted', async () => {
    const directory = await connect()
    const id = await create(directory, '/Users', maya)
    const groupId = await create(directory, '/Groups', { displayName: 'Sales', members: [{ value: id }] })
    await delivered(directory)
    for (const subject of ['maya', 'MAYA@ACME.example', 'E-1', id]) {
      const { verdict, subject: found } = await about(directory, subject)
      assert.deepEqual([verdict, found?.id], ['delivered', id], subject)
    }
    for (const subject of ['sales', groupId]) {
      const { verdict, subject: found } = await about(directory, subject)
      assert.deepEqual([verdict, found?.type, found?.id], ['delivered', 'Group', groupId], subject)
    }
    const Operations = [{ op: 'replace', value: { active: false } }]
    await send(directory, 'PATCH', `/Users/${id}`, { schemas: patchSchemas, Operations })
    await delivered(directory)
    assert.equal((await about(directory, 'maya')).verdict, 'deactivated')
    await send(directory, 'DELETE', `/Users/${id}`)
    await send(directory, 'DELETE', `/Groups/${groupId}`)
    await delivered(directory)
    for (const subject of ['maya', id, 'sales', groupId]) {
      const { verdict, subject: found } = await about(directory, subject)
      assert.deepEqual([verdict, found], ['deleted', null], subject)
    }
    const again = await create(directory, '/Users', maya)
    await delivered(directory)
    const last = await about(directory, 'maya')
    assert.deepEqual([last.verdict, last.subject?.id], ['delivered', again])
  })

  test('a member is not mistaken for its group, nor a renamed user for a deleted one', async () => {
    const directory = await connect()
    const id = await create(directory, '/Users', maya)
    const groupId = await create(directory, '/Groups', { displayName: 'Sales' })
    const patch = (path: string, operation: object) =>
      send(directory, 'PATCH', path, { schemas: patchSchemas, Operations: [operation] })
    await patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: [{ value: id }] })
    await delivered(directory)
    const member = await about(directory, 'maya')
    assert.deepEqual([member.verdict, member.subject?.id], ['delivered', id])
    const [change] = (await about(directory, 'sales')).evidence.filter(({ kind }) => kind === 'request')
    assert.partialDeepStrictEqual(change, { method: 'PATCH', subject: 'Sales' })
    await patch(`/Users/${id}`, { op: 'replace', value: { userName: 'maya.silva' } })
    await delivered(directory)
    const renamed = await explain({ directoryId: directory.id, subject: 'Maya' })
    assert.deepEqual([renamed.verdict, renamed.subject], ['delivered', { type: 'User', id, name: 'maya.silva' }])
  })

  test('the answer comes from the directory of a tenant that knows the user, and from the latest of several', async () => {
    const scope = { tenant: 'of-several-directories', product: 'crm' }
    const [first, second] = [await connect(scope), await connect(scope)]
    await send(second, 'GET', '/ServiceProviderConfig')
    await create(first, '/Users', maya)
    assert.equal((await explain({ ...scope, subject: 'maya' })).directory?.id, first.id)
    await send(second, 'POST', '/Users', { userName: 'maya', active: 'perhaps' })
    const latest = await explain({ ...scope, subject: 'maya' })
    assert.deepEqual([latest.verdict, latest.directory?.id], ['refused', second.id])
    assert.equal((await explain({ ...scope, subject: 'nobody' })).directory, null)
    const { status } = await service.request(
      'GET',
      `/api/v1/dsync/explain?tenant=of-several-directories&product=crm&subject=maya`,
      { headers: { authorization: `Api-Key test-api-key-of-32-characters-00` } },
    )
    assert.equal(status, 200)
  })

  for (const { what, query, status, says } of [
    { what: 'no subject', query: '?tenant=acme&product=crm', status: 400, says: /subject/ },
    { what: 'an empty subject', query: '?tenant=acme&product=crm&subject=', status: 400, says: /subject/ },
    { what: 'two subjects', query: '?tenant=acme&product=crm&subject=a&subject=b', status: 400, says: /subject/ },
    { what: 'a long subject', query: `?directoryId=x&subject=${'x'.repeat(513)}`, status: 400, says: /512/ },
    { what: 'an unknown directory', query: '?directoryId=x&subject=maya', status: 404, says: /no such directory/ },
    {
      what: 'a tenant without directories',
      query: '?tenant=x&product=y&subject=maya',
      status: 404,
      says: /is no directory/,
    },
  ]) {
    test(`${what} is rejected with ${status}`, async () => {
      const answer = await service.api('GET', `/explain${query}`)
      assertApiError(answer, status)
      assert.match(answer.body.error.message, says)
    })
  }

  test('names that no database can store are unknown', async () => {
    const directory = await connect()
    for (const subject of ['\0', 'a\0b', '\ud800', '%', "' or 1=1 --", '"'.repeat(512)]) {
      assert.equal((await about(directory, subject)).verdict, 'never-sent')
    }
  })
})
