import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import { descriptionFile } from '../../support/described-answers.ts'
import { eventually } from '../../support/eventually.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { adminSettings, login } from '../admin/support/admin.ts'
import { isMarked, marker } from './support/marker.ts'
import { allRows, markedPlaces, texts } from './support/tables.ts'

const settings = {
  ...adminSettings,
  DSYNC_REMOVAL_LIMIT_PERCENT: '',
  DEPROVISION_TARGET: '1',
  DSYNC_WEBHOOK_TIMEOUT: '2000',
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const custom = 'urn:example:params:scim:schemas:extension:custom:2.0:User'

/** A user every attribute of which contains the marker, in forms that JSON and URLs write differently. */
const person = (changes: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise, custom],
  userName: `${marker}.user+tag@acme.example`,
  externalId: `${marker}/external "id"`,
  displayName: `Zoë ${marker} display`,
  nickName: `${marker}-nick`,
  title: `${marker} title\\with\nlines`,
  profileUrl: `https://acme.example/${marker}`,
  name: { givenName: `${marker}given`, familyName: `O'${marker}`, formatted: `Dr. ${marker} formatted` },
  emails: [
    { value: `${marker}.work@acme.example`, type: 'work', primary: true },
    { value: `${marker}.home@acme.example`, type: 'home' },
  ],
  phoneNumbers: [{ value: `+49 30 ${marker}`, type: 'work' }],
  addresses: [{ formatted: `${marker} street 1, Berlin`, streetAddress: `${marker} street`, type: 'work' }],
  roles: [{ value: `${marker}-role` }],
  locale: `${marker}-locale`,
  [enterprise]: { employeeNumber: `${marker}-4711`, department: `${marker} department`, costCenter: `${marker}-cc` },
  [custom]: { badge: `${marker} badge`, nested: { note: `${marker} note`, list: [`${marker}-a`, `${marker}-b`] } },
  active: true,
  ...changes,
})

/** A request that must have one of these statuses. */
async function send(
  service: Client,
  directory: DirectoryView,
  statuses: number | readonly number[],
  ...[method, path, body]: [method: string, path: string, body?: unknown]
) {
  const answer = await service.scim(directory, method, path, body)
  assert.ok([statuses].flat().includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

const patch = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

const quoted = (value: string) => encodeURIComponent(JSON.stringify(value))

interface Life {
  readonly directory: DirectoryView
  readonly userId: string
  readonly groupId: string
  readonly otherId: string
}

/** The whole life of the person in a directory, next to somebody else's, up to its deactivation. */
async function live(service: TestService, receiver: Receiver, fields: object = {}): Promise<Life> {
  const directory = await service.createDirectory({
    ...receiver.endpoint,
    ...{ log_webhook_events: true, log_scim_requests: true, ...fields },
  })
  const bob = { schemas: person().schemas, userName: 'bob@acme.example', displayName: 'Bob', active: true }
  const { id: otherId } = await send(service, directory, 201, 'POST', '/Users', bob)
  const { id: userId } = await send(service, directory, 201, 'POST', '/Users', person())
  await service.api('PUT', `/${directory.id}/users/${userId}/account`, { account_id: `${marker}-account` })
  const { id: groupId } = await send(service, directory, 201, 'POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Engineering',
    members: [
      { value: userId, display: person().displayName },
      { value: otherId, display: 'Bob' },
    ],
  })
  // refused requests, by body, path and filter
  await send(service, directory, 409, 'POST', '/Users', person())
  await send(service, directory, 400, 'POST', '/Users', { ...person(), userName: { value: 5, unit: 'none' } })
  await send(service, directory, [400, 404], 'PUT', `/Users/${encodeURIComponent(person().userName)}`, person())
  await send(service, directory, 400, 'PATCH', `/Users/${userId}`, patch({ op: 'add', path: `${marker}[`, value: '' }))
  await send(service, directory, 404, 'GET', `/Users/${encodeURIComponent(person().externalId)}`)
  for (const [attribute, value] of [
    ['userName', person().userName],
    ['externalId', person().externalId],
    ['title', person().title],
    ['emails.value', person().emails[0]?.value ?? ''],
    ['displayName', person().displayName],
  ] as const) {
    await send(service, directory, 200, 'GET', `/Users?filter=${attribute}%20eq%20${quoted(value)}`)
    await send(service, directory, 200, 'POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: `${attribute} eq ${JSON.stringify(value)}`,
    })
  }
  await send(service, directory, 200, 'PUT', `/Users/${userId}`, person({ nickName: `${marker}-second nick` }))
  const rename = { op: 'replace', path: 'displayName', value: `Zoë ${marker} renamed` }
  await send(service, directory, 200, 'PATCH', `/Users/${userId}`, patch(rename))
  await send(service, directory, 200, 'POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'PATCH', path: `/Users/${userId}`, data: patch({ ...rename, value: `${marker} bulk` }) }],
  })
  const manager = { value: userId, displayName: person().name.formatted, $ref: `../Users/${person().externalId}` }
  await send(
    service,
    directory,
    200,
    'PATCH',
    `/Users/${otherId}`,
    patch({ op: 'add', path: `${enterprise}:manager`, value: manager }),
  )
  const assistant = { [custom]: { assistant: `${marker}.work@acme.example`, floor: '5' } }
  await send(service, directory, 200, 'PATCH', `/Users/${otherId}`, patch({ op: 'add', value: assistant }))
  const member = { op: 'remove', path: `members[value eq "${userId}"]` }
  await send(service, directory, [200, 204], 'PATCH', `/Groups/${groupId}`, patch(member))
  const again = { op: 'add', path: 'members', value: [{ value: userId, display: `Zoë ${marker} display` }] }
  await send(service, directory, [200, 204], 'PATCH', `/Groups/${groupId}`, patch(again))
  const rejected = { op: 'add', path: 'members[', value: [{ value: userId, display: `${marker} bulk` }] }
  await send(service, directory, 400, 'PATCH', `/Groups/${groupId}`, patch(rejected))
  return { directory, userId, groupId, otherId }
}

const deactivated = patch({ op: 'replace', path: 'active', value: false })

async function eventsOf(service: Client, { id }: DirectoryView) {
  const { body } = await service.api('GET', `/feed?directoryId=${id}&limit=1000`)
  return body.data as unknown as { sequence: number; event: string; data: Record<string, unknown> }[]
}

/** The answers of every GET route of the API for the rows of a life, by path. */
async function allAnswers(service: TestService, lives: readonly Life[]): Promise<Map<string, string>> {
  const description = JSON.parse(readFileSync(descriptionFile, 'utf8')) as { paths: Record<string, object> }
  const admin = await login(service)
  const answers = new Map<string, string>()
  const requestIds = new Set<string>()
  const get = async (path: string) => {
    const isAdmin = path.startsWith('/auditlog/')
    const { status, text } = isAdmin
      ? await admin.admin('GET', path.slice('/auditlog/admin/v1'.length))
      : await service.api('GET', path)
    assert.ok(status < 500, `${path}: ${text}`)
    answers.set(path, text)
    if (status !== 200) return
    for (const [, id = ''] of text.matchAll(/"(?:request_id|id)":"([\w.-]{36,45})"/g)) requestIds.add(id)
  }
  const paths = Object.entries(description.paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
  assert.ok(paths.length > 40)
  const isStreamed = (path: string) => /^\/(docs|console|setup)|oauth|\{path\}/.test(path)
  for (const path of paths.filter((one) => !one.includes('{requestId}') && !isStreamed(one))) {
    for (const { directory, userId, groupId, otherId } of lives) {
      const ids: Readonly<Record<string, string>> = { id: directory.id, userId, groupId, directoryId: directory.id }
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown')
      const scope = `directoryId=${directory.id}&tenant=acme&product=crm`
      const isScim = path.startsWith('/api/scim/')
      if (isScim) {
        const { text } = await service.scim(directory, 'GET', filled.slice(directory.scim.path.length))
        answers.set(filled, text)
        continue
      }
      const queries = path.startsWith('/auditlog/') ? [''] : queriesOf(path, scope, userId)
      for (const query of queries) await get(filled + query)
      if (path.includes('{sequence}')) {
        for (let n = 1; n < 30; n += 1) await get(filled.replace('unknown', String(n)))
      }
      if (path.includes('{userId}')) await get(filled.replaceAll(userId, otherId))
    }
  }
  for (const requestId of [...requestIds]) await get(`/requests/${requestId}`)
  return answers
}

/** The text around the marker. */
function around(text: string): string {
  const at = text.toLowerCase().indexOf(marker)
  return text.slice(Math.max(0, at - 150), at + 50)
}

/** The queries of a route: the scope in each form, and who is looked for. */
function queriesOf(path: string, scope: string, userId: string): string[] {
  if (path.endsWith('/explain')) return [`?subject=${userId}&${scope}`]
  if (path.endsWith('/search')) return [`?q=${marker}`]
  return [`?${scope}`, '?tenant=acme&product=crm', '']
}

forEachEngine((engine) => {
  test('nothing of a person is left after an erasure, and nothing of anybody else is missing', async () => {
    await using database = await openTestDatabase(engine)
    await using receiver = await startReceiver()
    await using refusing = await startReceiver()
    const logs: string[] = []
    const onLog = (line: object) => void logs.push(JSON.stringify(line))
    const lives: Life[] = []
    {
      await using service = await startTestService(database, settings, { onLog })
      const responses = { status: 422, headers: {}, body: `{"error":"${marker}.work@acme.example is unknown"}` }
      refusing.answerWith(responses)
      lives.push(await live(service, receiver))
      lives.push(await live(service, refusing, { name: 'refusing' }))
      lives.push(await live(service, receiver, { name: 'held', removal_limit: { percent: 0, minimum: 0 } }))
      const [delivered, refused, held] = lives
      assert.ok(delivered && refused && held)
      await eventually('the deliveries', async () => receiver.events(delivered.directory.id).length >= 12)
      const skip = async (sequence: number, reason: string) => {
        const { status } = await service.api('POST', `/${refused.directory.id}/events/${sequence}/skip`, { reason })
        return status === 200
      }
      for (const [index, reason] of [
        `for ${marker}.work@acme.example`,
        'for another test',
        'for a third one',
      ].entries())
        await eventually('the event to be skipped', () => skip(index + 1, reason))
      await service.api('POST', `/${delivered.directory.id}/replay`, { sequence: 2 })
      await service.api('POST', `/${delivered.directory.id}/resync`)
      await eventually('the resync', async () =>
        receiver.events(delivered.directory.id).some(({ event }) => event === 'sync.completed'),
      )
      for (const { directory, userId } of lives)
        await send(service, directory, 200, 'PATCH', `/Users/${userId}`, deactivated)
      // Somebody else's life goes on, and a request names both.
      for (const { directory, userId, otherId } of lives) {
        await send(
          service,
          directory,
          200,
          'PATCH',
          `/Users/${otherId}`,
          patch({ op: 'replace', path: 'title', value: 'CTO' }),
        )
        await send(service, directory, 200, 'GET', `/Users/${userId}`)
      }
      await service.api('GET', `/events?tenant=acme&product=crm`)
      const { body: hold } = await service.api('GET', `/${held.directory.id}/hold`)
      assert.equal((hold.data as unknown as { held: boolean }).held, true)
      assert.equal((await service.api('POST', `/${held.directory.id}/hold/release`)).status, 200)
      // The erasure removes a user, which would be held again.
      assert.equal((await service.api('PATCH', `/${held.directory.id}`, { removal_limit: null })).status, 200)
    }
    const before = await allRows(database)
    assert.notEqual((await markedPlaces(database)).length, 0)

    {
      await using service = await startTestService(database, settings, { onLog })
      refusing.answerWith(422)
      const [{ directory } = lives[0] ?? assert.fail()] = lives
      const subject = { tenant: 'acme', product: 'crm', subject: `${marker}.WORK@acme.example` }
      const exported = await service.api('POST', '/privacy/export', subject)
      assert.equal(exported.status, 200, exported.text)
      for (const { userId } of lives) assert.ok(exported.text.includes(userId))
      for (const kind of [
        'user',
        'membership',
        'event',
        'dead_event',
        'delivery',
        'request',
        'request_body',
        'deprovisioning',
      ])
        assert.match(exported.text, new RegExp(`"${kind}":\\{`), kind)
      assert.doesNotMatch(exported.text, /bob@acme/)
      const dry = await service.api('POST', '/privacy/erase', { ...subject, dry_run: true })
      assert.equal(dry.status, 200, dry.text)
      const erased = await service.api('POST', '/privacy/erase', { ...subject, reason: 'ticket 12' })
      assert.equal(erased.status, 200, erased.text)
      const { places, erasure_id: id } = erased.body.data as unknown as { places: object; erasure_id: string }
      for (const [name, count] of Object.entries(places)) {
        if (!['sync_runs', 'groups'].includes(name)) assert.ok(Number(count) > 0, `${name}: ${count}`)
      }
      const listed = await service.api('GET', '/privacy/erasures?tenant=acme&product=crm')
      assert.partialDeepStrictEqual(listed.body.data, [{ erasure_id: id, reason: 'ticket 12', places }])

      for (const { directory: one, userId } of lives) {
        const events = await eventsOf(service, one)
        assert.deepEqual(
          events.map(({ sequence }) => sequence),
          events.map((_, index) => index + 1),
        )
        const own = events.filter(({ data }) => data['id'] === userId)
        assert.equal(own.at(-1)?.event, 'user.erased')
        for (const { data } of own) assert.equal(data['erased'], true)
      }
      refusing.answerWith(204)
      await service.api('POST', `/${lives[1]?.directory.id}/resume`)
      await service.api('POST', `/${directory.id}/replay`, { from_sequence: 1 })
      for (const { directory: one } of lives) {
        const target = one.name === 'refusing' ? refusing : receiver
        await eventually(`the erasure to arrive from ${one.name}`, async () =>
          target.events(one.id).some(({ event }) => event === 'user.erased'),
        )
      }
      const markedAnswers = [...(await allAnswers(service, lives))].filter(([, text]) => isMarked(text))
      assert.deepEqual(
        markedAnswers.map(([path, text]) => `${path} ${around(text)}`),
        [],
      )
      const again = await service.api('POST', '/privacy/erase', subject)
      assert.equal(again.status, 404)
    }
    assert.deepEqual(await markedPlaces(database), [])
    assert.deepEqual(
      logs.filter((line) => isMarked(line)),
      [],
    )

    const after = await allRows(database)
    for (const table of [
      'users',
      'user_emails',
      'events',
      'dead_events',
      'delivery_attempts',
      'setup_links',
      'oauth_clients',
    ]) {
      const now = new Set(texts(after.get(table)))
      const ids = lives.map(({ userId }) => userId)
      const others = texts(before.get(table)).filter((row) => !isMarked(row) && !ids.some((one) => row.includes(one)))
      // rows that name no id, but belong to an event about the person
      const isAboutEvent = (row: string) => /"response_body":"v2|for (another|a third)/.test(row)
      const missing = others.filter((row) => !now.has(row) && !isAboutEvent(row))
      assert.deepEqual(missing, [], table)
    }
  })
})
