import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer, Client } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const deactivation = { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: false }] }

interface ErasureBody {
  readonly erasure_id: string | null
  readonly places: Readonly<Record<string, number>>
  readonly blockers: readonly Readonly<Record<string, string | null>>[]
}

function assertRefused(answer: Answer, status: number, message: RegExp): void {
  assertApiError(answer, status)
  assert.match(answer.body.error.message, message)
}

async function addUser(service: Client, directory: DirectoryView, fields: object): Promise<string> {
  const { status, body, text } = await service.scim(directory, 'POST', '/Users', fields)
  assert.equal(status, 201, text)
  return body.id
}

async function deactivate(service: Client, directory: DirectoryView, id: string): Promise<void> {
  assert.equal((await service.scim(directory, 'PATCH', `/Users/${id}`, deactivation)).status, 200)
}

async function eventsOf(service: Client, { id }: DirectoryView) {
  const { body } = await service.api('GET', `/feed?directoryId=${id}&limit=1000`)
  return body.data as unknown as { sequence: number; event: string; data: { id?: string; erased?: boolean } }[]
}

let tenants = 0

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { DSYNC_REMOVAL_LIMIT_PERCENT: '', DSYNC_WEBHOOK_TIMEOUT: '1000' })

  /** A directory of a tenant of its own, and the person of a subject there. */
  async function tenantWith(fields: object = {}) {
    tenants += 1
    const tenant = `tenant-${tenants}`
    const directory = await service().createDirectory({ tenant, ...fields })
    return { directory, personOf: (subject: string) => ({ tenant, product: 'crm', subject }) }
  }
  const erase = (person: object) => service().api('POST', '/privacy/erase', person)
  async function erased(person: object): Promise<ErasureBody> {
    const { status, body, text } = await erase(person)
    assert.equal(status, 200, text)
    return body.data as unknown as ErasureBody
  }

  test('somebody who is active is not erased, and nothing changes', async () => {
    const { directory, personOf } = await tenantWith()
    const id = await addUser(service(), directory, { userName: 'ann@acme.example', active: true })
    const before = await eventsOf(service(), directory)
    const answer = await erase(personOf('ANN@acme.example'))
    assertRefused(answer, 409, /is active: deactivate or delete it at the identity provider/)
    assert.equal(answer.body.error.reason, 'user-active')
    assert.deepEqual(await eventsOf(service(), directory), before)
    assert.equal((await service().scim(directory, 'GET', `/Users/${id}`)).status, 200)
    const { body } = await service().api('GET', `/privacy/erasures?directoryId=${directory.id}`)
    assert.deepEqual(body.data, [])
  })

  test('an export has the account that the person is linked to, and the one of an earlier user', async () => {
    const { directory, personOf } = await tenantWith()
    const fields = { userName: 'lea@acme.example' }
    for (const account_id of ['acct-first', 'acct-second']) {
      const id = await addUser(service(), directory, fields)
      await service().api('PUT', `/${directory.id}/users/${id}/account`, { account_id })
      if (account_id === 'acct-first') await service().scim(directory, 'DELETE', `/Users/${id}`)
    }
    const { body } = await service().api('POST', '/privacy/export', personOf('lea@acme.example'))
    const { records } = body.data as unknown as {
      records: Readonly<Record<string, { readonly account_id?: string }>>[]
    }
    assert.deepEqual(
      records.flatMap((record) => record['user']?.account_id ?? record['deleted_user']?.account_id ?? []),
      ['acct-second', 'acct-first'],
    )
  })

  test('an export has the accounts of a list that name the person, and an erasure removes them', async () => {
    const { directory, personOf } = await tenantWith()
    const id = await addUser(service(), directory, { userName: 'mia@acme.example', externalId: 'x-mia', active: false })
    const accounts = [
      { account_id: 'acct-1', email: 'Mia@acme.example' },
      { account_id: 'acct-2', external_id: 'x-mia' },
      { account_id: 'acct-3', email: 'noa@acme.example' },
    ]
    await service().api('POST', `/${directory.id}/adoption`, accounts)
    const { body } = await service().api('POST', '/privacy/export', personOf(id))
    const { records } = body.data as unknown as { records: { account_to_adopt?: { account_id: string } }[] }
    const exported = records.flatMap(({ account_to_adopt: account }) => account?.account_id ?? [])
    assert.deepEqual(exported, ['acct-1', 'acct-2'])
    await erased(personOf(id))
    const plan = await service().api('GET', `/${directory.id}/adoption`)
    const { entries } = plan.body.data as unknown as { entries: { account_id: string }[] }
    assert.deepEqual(
      entries.map((entry) => entry.account_id),
      ['acct-3'],
    )
  })

  test('nobody is erased from a directory whose events are held', async () => {
    const { directory, personOf } = await tenantWith({
      removal_limit: { percent: 0, minimum: 0, window_seconds: 3600 },
    })
    const id = await addUser(service(), directory, { userName: 'bea@acme.example', active: true })
    await deactivate(service(), directory, id)
    const answer = await erase(personOf(id))
    assertRefused(answer, 409, /are held: release or discard the hold/)
    assert.equal(answer.body.error.reason, 'directory-held')
    await service().api('POST', `/${directory.id}/hold/release`)
    await erased(personOf(id))
  })

  test('a dry run counts also for somebody who is active, or held, and says what must be done first', async () => {
    const { directory, personOf } = await tenantWith({
      removal_limit: { percent: 0, minimum: 0, window_seconds: 3600 },
    })
    const other = await addUser(service(), directory, { userName: 'abe@acme.example', active: true })
    const id = await addUser(service(), directory, { userName: 'bob@acme.example', active: true })
    await deactivate(service(), directory, other)
    const { erasure_id, places, blockers } = await erased({ ...personOf(id), dry_run: true })
    assert.deepEqual([erasure_id, places['users'], places['events']], [null, 1, 1])
    const where = { directory_id: directory.id, directory_name: directory.name }
    assert.deepEqual(blockers, [
      { reason: 'user-active', ...where, user_id: id },
      { reason: 'directory-held', ...where, user_id: null },
    ])
  })

  test('a subject that means several users is refused with their ids, and an id is always clear', async () => {
    const { directory, personOf } = await tenantWith()
    const emails = [{ value: 'shared@acme.example' }]
    const ids = []
    for (const userName of ['cid@acme.example', 'dan@acme.example'])
      ids.push(await addUser(service(), directory, { userName, emails, active: false }))
    const answer = await erase(personOf('shared@acme.example'))
    assertRefused(answer, 409, new RegExp(`${ids[0]}.*${ids[1]}|${ids[1]}.*${ids[0]}`))
    await erased(personOf(ids[0] ?? ''))
    const left = await service().scim(directory, 'GET', `/Users/${ids[1]}`)
    assert.match(left.text, /shared@acme\.example/)
  })

  test('a subject that nobody has is not found, nor is one of another tenant', async () => {
    const { directory, personOf } = await tenantWith()
    await addUser(service(), directory, { userName: 'eve@acme.example', active: false })
    assertRefused(await erase(personOf('nobody@acme.example')), 404, /No user with this id/)
    const { personOf: elsewhere } = await tenantWith()
    assertRefused(await erase(elsewhere('eve@acme.example')), 404, /No user with this id/)
    assertRefused(await erase({ tenant: 'unknown', product: 'crm', subject: 'x' }), 404, /no directory of this tenant/)
  })

  for (const { what, subject, fields } of [
    { what: 'its externalId', subject: 'ext-4711-f', fields: { externalId: 'ext-4711-f' } },
    { what: 'an address that it had before', subject: 'old-f@acme.example', fields: {} },
  ]) {
    test(`somebody who was deleted is found by ${what}, in all directories of the tenant`, async () => {
      const { directory, personOf } = await tenantWith()
      const other = await service().createDirectory({ tenant: directory.tenant, name: 'second' })
      const ids: string[] = []
      for (const one of [directory, other]) {
        const user = { userName: 'fay@acme.example', emails: [{ value: 'old-f@acme.example' }], ...fields }
        const id = await addUser(service(), one, user)
        const now = { ...user, emails: [{ value: 'new-f@acme.example' }] }
        assert.equal((await service().scim(one, 'PUT', `/Users/${id}`, now)).status, 200)
        assert.equal((await service().scim(one, 'DELETE', `/Users/${id}`)).status, 204)
        ids.push(id)
      }
      const { places } = await erased(personOf(subject))
      assert.equal(places['events'], 6)
      for (const [index, one] of [directory, other].entries()) {
        const events = await eventsOf(service(), one)
        assert.deepEqual(
          events.map(({ event, data }) => [event, data]),
          ['user.created', 'user.updated', 'user.deleted', 'user.erased'].map((event) => [
            event,
            { id: ids[index], erased: true },
          ]),
        )
      }
      assertRefused(await erase(personOf(subject)), 404, /No user with this id/)
    })
  }

  test('undelivered events go out without the person, and erasing again changes nothing', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith(503)
    const { directory, personOf } = await tenantWith(receiver.endpoint)
    const id = await addUser(service(), directory, { userName: 'gil@acme.example', title: 'Gil of Acme', active: true })
    await receiver.until(() => receiver.attempts.length > 0)
    await deactivate(service(), directory, id)
    const dry = await erased({ ...personOf(id), dry_run: true })
    assert.deepEqual([dry.erasure_id, dry.places['events'], dry.places['users']], [null, 2, 1])
    await erased(personOf(id))
    receiver.answerWith(204)
    await service().api('POST', `/${directory.id}/resume`)
    const events = await receiver.firstEvents(directory.id, 4)
    assert.deepEqual(
      events.map(({ event, sequence, data }) => [event, sequence, data]),
      [
        ['user.created', 1, { id, erased: true }],
        ['user.updated', 2, { id, erased: true }],
        ['user.deleted', 3, { id, erased: true }],
        ['user.erased', 4, { id, erased: true }],
      ],
    )
    const again = await erased(personOf(id))
    assert.equal(again.places['events'], 0)
    assert.equal((await eventsOf(service(), directory)).length, 4)
  })

  test('a common text does not name the person: what others share with it stays', async () => {
    const { directory, personOf } = await tenantWith({ log_scim_requests: true })
    const shared = { title: 'Engineer', displayName: 'Kim Park', name: { givenName: 'Kim', familyName: 'Park' } }
    const id = await addUser(service(), directory, { userName: 'kim1@acme.example', ...shared, active: false })
    const namesake = await addUser(service(), directory, { userName: 'kim2@acme.example', ...shared, active: true })
    const before = await service().scim(directory, 'GET', `/Users/${namesake}`)
    await erased(personOf(id))
    const { text } = await service().scim(directory, 'GET', `/Users/${namesake}`)
    assert.equal(text, before.text)
    const events = await eventsOf(service(), directory)
    assert.match(JSON.stringify(events), /Kim Park/)
    const { body } = await service().api('GET', `/${directory.id}/requests?subject=kim2@acme.example&method=POST`)
    const trace = await service().api('GET', `/requests/${body.data[0]?.id}`)
    assert.match(trace.text, /"body":\{.*Kim Park/)
  })

  test('a reason that names the person is refused', async () => {
    const { directory, personOf } = await tenantWith()
    const id = await addUser(service(), directory, { userName: 'leo@acme.example', active: false })
    assertRefused(await erase({ ...personOf(id), reason: 'Leo@acme.example has asked' }), 400, /leave out data/)
    await erased({ ...personOf(id), reason: 'ticket 7' })
  })

  test('an inactive user who comes back during the call is not erased', async () => {
    const { directory, personOf } = await tenantWith()
    const id = await addUser(service(), directory, { userName: 'max@acme.example', active: false })
    const activation = { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: true }] }
    const [answer, patched] = await Promise.all([
      erase(personOf(id)),
      service().scim(directory, 'PATCH', `/Users/${id}`, activation),
    ])
    const events = await eventsOf(service(), directory)
    if (answer.status === 200) {
      for (const { data } of events) assert.equal(data.erased, true)
      assert.ok([200, 404].includes(patched.status))
    } else {
      assert.equal(answer.status, 409, answer.text)
      assert.equal(patched.status, 200)
      for (const { data } of events) assert.equal(data.erased, undefined)
    }
  })

  test('the product is told once, after whatever is sent', async () => {
    const { directory, personOf } = await tenantWith()
    const id = await addUser(service(), directory, { userName: 'nia@acme.example', active: false })
    await Promise.all([erase(personOf(id)), erase(personOf(id))])
    await eventually('the erasures to end', async () => {
      const { body } = await service().api('GET', `/privacy/erasures?directoryId=${directory.id}`)
      return body.data.length > 0
    })
    const events = await eventsOf(service(), directory)
    assert.equal(events.filter(({ event }) => event === 'user.erased').length, 1)
    assert.equal(events.at(-1)?.event, 'user.erased')
  })
})
