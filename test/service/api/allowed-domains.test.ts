import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Explanation } from '../../../src/diagnostics/explain/explanation.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { connectDirectory, startPulledService, syncWell } from '../../support/extdir.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { openLink } from './support/setup-link.ts'

interface MarkedUser {
  readonly id: string
  readonly domain_allowed?: false
  readonly raw: { readonly userName: string }
}
interface MarkedEvent {
  readonly event: string
  readonly request_id: string
  readonly data: { readonly domain_allowed?: false; readonly roles?: readonly string[] }
  readonly changes?: Readonly<Record<string, unknown>>
}
type TestDirectory = Awaited<ReturnType<TestService['createDirectory']>>
const maya = { userName: 'maya@acme.com', emails: [{ value: 'maya@acme.com' }] }
const mallory = { userName: 'mallory@acme.com', emails: [{ value: 'Victim@other.example' }] }
const refused = /Victim@other\.example is not in an allowed domain of this directory \(acme\.com\)/

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const dataOf = async <T>(path: string) => (await service().api('GET', path)).body.data as unknown as T
  const eventsOf = ({ id }: TestDirectory) => dataOf<MarkedEvent[]>(`/feed?directoryId=${id}&limit=500`)
  const usersOf = ({ id }: TestDirectory) => dataOf<MarkedUser[]>(`/users?directoryId=${id}`)
  const marksOf = async (directory: TestDirectory) =>
    Object.fromEntries((await usersOf(directory)).map(({ raw, domain_allowed }) => [raw.userName, domain_allowed]))

  test('flag: a user outside is accepted, and marked in reads and events until the address is inside', async () => {
    const directory = await service().createDirectory({ allowed_domains: ['Acme.com'] })
    assert.deepEqual([directory.allowed_domains, directory.outside_domains], [['acme.com'], 'flag'])
    await service().scim(directory, 'POST', '/Users', maya)
    const { body, status } = await service().scim(directory, 'POST', '/Users', mallory)
    assert.deepEqual([status, 'domain_allowed' in body], [201, false])
    assert.deepEqual(await marksOf(directory), { 'maya@acme.com': undefined, 'mallory@acme.com': false })
    await service().scim(directory, 'POST', '/Groups', { displayName: 'G', members: [{ value: body.id }] })
    const Operations = [{ op: 'replace', path: 'emails', value: [{ value: 'mallory@acme.com' }] }]
    await service().scim(directory, 'PATCH', `/Users/${body.id}`, { Operations })
    const events = await eventsOf(directory)
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.domain_allowed]),
      [
        ['user.created', undefined],
        ['user.created', false],
        ['group.created', undefined],
        ['group.user_added', false],
        ['user.updated', undefined],
      ],
    )
    assert.deepEqual(events.at(-1)?.changes?.['domain_allowed'], { from: false, to: null })
    assert.deepEqual(await marksOf(directory), { 'maya@acme.com': undefined, 'mallory@acme.com': undefined })
  })

  test('refuse: create, PUT, PATCH and bulk get 400 invalidValue with the address; a deactivation is accepted', async () => {
    const directory = await service().createDirectory({ allowed_domains: ['acme.com'], outside_domains: 'refuse' })
    const { body: user } = await service().scim(directory, 'POST', '/Users', maya)
    const path = `/Users/${user.id}`
    const Operations = [{ op: 'add', path: 'emails', value: [{ value: 'Victim@other.example' }] }]
    const answers = [
      await service().scim(directory, 'POST', '/Users', mallory),
      await service().scim(directory, 'PUT', path, { ...maya, emails: mallory.emails }),
      await service().scim(directory, 'PATCH', path, { Operations }),
    ]
    for (const answer of answers) {
      assertScimError(answer, 400, 'invalidValue')
      assert.match(answer.body.detail, refused)
    }
    const bulk = await service().scim(directory, 'POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [{ method: 'POST', path: '/Users', bulkId: 'b', data: mallory }],
    })
    assert.match(bulk.text, refused)
    assert.equal((await usersOf(directory)).length, 1)
    const off = [{ op: 'replace', path: 'active', value: false }]
    assert.equal((await service().scim(directory, 'PATCH', path, { Operations: off })).status, 200)
  })

  test('domains that are set later mark the users who are there, with an event for each, and removing them ends that', async () => {
    const directory = await service().createDirectory({})
    const Operations = Array.from({ length: 120 }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${index}`,
      data: { userName: `user-${index}@${index % 40 === 0 ? 'other.example' : 'acme.com'}` },
    }))
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
    await service().scim(directory, 'POST', '/Bulk', { schemas, Operations })
    const marked = async () => (await usersOf(directory)).filter((user) => user.domain_allowed === false)
    const given = { allowed_domains: ['acme.com'], outside_domains: 'refuse' }
    const updated = await service().api('PATCH', `/${directory.id}`, given)
    assert.equal(updated.status, 200)
    await eventually('three users are marked', async () => (await marked()).length === 3)
    const updates = async () => (await eventsOf(directory)).filter(({ event }) => event === 'user.updated')
    const [first, ...others] = await updates()
    assert.equal(others.length, 2)
    assert.deepEqual(first?.changes, { domain_allowed: { from: null, to: false } })
    assert.equal(first?.request_id, updated.headers['x-request-id'])
    const [outsider] = await marked()
    const off = { Operations: [{ op: 'replace', value: { active: false, title: 'left' } }] }
    const { body } = await service().scim(directory, 'PATCH', `/Users/${outsider?.id}`, off)
    assert.equal(body['active'], false)
    assert.equal((await updates()).at(-1)?.data.domain_allowed, false)
    await service().api('PATCH', `/${directory.id}`, { allowed_domains: [] })
    await eventually('nobody is marked', async () => (await marked()).length === 0)
    assert.equal((await dataOf<{ readonly mapping: unknown }>(`/${directory.id}/mapping`)).mapping, null)
  })

  test('a mapping and the domains change a user in one event', async () => {
    const directory = await service().createDirectory({ allowed_domains: ['acme.com'] })
    await service().api('PUT', `/${directory.id}/mapping`, { mapping: { roles: { default: ['member'] } } })
    const { body } = await service().scim(directory, 'POST', '/Users', mallory)
    const [created] = await eventsOf(directory)
    assert.deepEqual([created?.data.domain_allowed, created?.data.roles], [false, ['member']])
    await service().scim(directory, 'PUT', `/Users/${body.id}`, { ...maya, active: false })
    const [, updated] = await eventsOf(directory)
    assert.deepEqual(Object.keys(updated?.changes ?? {}).toSorted(), [
      'active',
      'domain_allowed',
      'emails',
      'roles',
      'userName',
    ])
    assert.deepEqual(
      (await usersOf(directory)).map((user) => user.domain_allowed),
      [undefined],
    )
  })

  test('explain says why a user is refused or marked, and so does the page of a setup link', async () => {
    const scope = { tenant: `domains-${engine}`, product: 'crm' }
    const { call, link } = await openLink(service(), {
      ...scope,
      allowed_domains: ['acme.com'],
      outside_domains: 'refuse',
    })
    assert.deepEqual([link.allowed_domains, link.outside_domains], [['acme.com'], 'refuse'])
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const listed = await service().api('GET', `?tenant=${scope.tenant}&product=crm`)
    const [directory] = listed.body.data as unknown as TestDirectory[]
    assert.ok(directory)
    assert.deepEqual([directory.allowed_domains, directory.outside_domains], [['acme.com'], 'refuse'])
    await service().scim(directory, 'POST', '/Users', mallory)
    const explained = (subject: string) =>
      dataOf<Explanation>(`/explain?directoryId=${directory.id}&subject=${subject}`)
    await eventually('the request is logged', async () => (await explained('mallory@acme.com')).verdict === 'refused')
    const refusal = await explained('mallory@acme.com')
    assert.match(refusal.sentence, refused)
    assert.match(refusal.advice, /^If the domain belongs to this customer, add it/)
    const health = await service().request('GET', '/api/v1/setup/health', {
      headers: { authorization: `Setup ${link.url.split('/').at(-1)}` },
    })
    assert.match(health.text, /"is_outside_domain":true/)
    await service().api('PATCH', `/${directory.id}`, { outside_domains: 'flag' })
    await service().scim(directory, 'POST', '/Users', mallory)
    const marked = await explained('mallory@acme.com')
    assert.match(marked.sentence, /outside the allowed domains of the directory/)
    assert.partialDeepStrictEqual(marked.subject, { domain_allowed: false })
  })

  test('a sync with Google skips whom the directory refuses, counts them, and keeps who is there', async () => {
    await using pulled = await startPulledService(engine)
    const { google } = pulled
    google.addUser({ primaryEmail: 'maya@acme.com', givenName: 'Maya', familyName: 'Doe' })
    const directory = await connectDirectory(pulled.service, google, { allowed_domains: ['acme.com'] })
    await syncWell(pulled.service, directory)
    await pulled.service.api('PATCH', `/${directory.id}`, { outside_domains: 'refuse' })
    google.addUser({ primaryEmail: 'victim@other.example', givenName: 'Victim', familyName: 'Doe' })
    const run = await syncWell(pulled.service, directory)
    assert.deepEqual([run.skipped, run.created], [1, 0])
    const { data } = (await pulled.service.api('GET', `/users?directoryId=${directory.id}`)).body
    assert.deepEqual(
      data.map(({ email }) => email),
      ['maya@acme.com'],
    )
  })

  test('what is not a domain is refused with the way to write one', async () => {
    const answer = await service().api('POST', '', { tenant: 'acme', product: 'crm', allowed_domains: ['@acme.com'] })
    assertApiError(answer, 400)
    assert.match(answer.text, /\\"@acme.com\\" is not a domain: send names like acme.com/)
  })
})
