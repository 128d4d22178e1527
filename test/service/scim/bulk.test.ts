import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertScimError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

interface BulkEntry {
  readonly method: string
  readonly bulkId?: string
  readonly status: string
  readonly location?: string
  readonly version?: string
  readonly response?: { readonly detail: string; readonly scimType?: string }
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const user = (bulkId: string, data: object = {}) => ({
  method: 'POST',
  path: '/Users',
  bulkId,
  data: { userName: bulkId, ...data },
})
const group = (bulkId: string, ...members: string[]) => ({
  method: 'POST',
  path: '/Groups',
  bulkId,
  data: { displayName: bulkId, members: members.map((value) => ({ value })) },
})

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { SCIM_BODY_LIMIT: '20000' })

  async function openDirectory(fields: object = {}) {
    const directory = await service().createDirectory({ ...fields })
    const scim = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
    return {
      directory,
      scim,
      async bulk(...operations: readonly unknown[]): Promise<readonly BulkEntry[]> {
        const { status, body, text } = await scim('POST', '/Bulk', { Operations: operations })
        assert.equal(status, 200, text)
        return (body as unknown as { Operations: BulkEntry[] }).Operations
      },
      async read(location: string | undefined) {
        const { pathname } = new URL(location ?? '')
        return (await scim('GET', pathname.slice(directory.scim.path.length))).body
      },
    }
  }

  test('one request provisions a whole directory, referenced resources first', async () => {
    const { bulk, read } = await openDirectory()
    const [group1, boss, worker] = await bulk(
      group('Everyone', 'bulkId:worker', 'bulkId:boss'),
      user('boss'),
      user('worker', { [enterprise]: { manager: { value: 'bulkId:boss' } } }),
    )
    assert.deepEqual(
      [group1, boss, worker].map((entry) => entry?.status),
      ['201', '201', '201'],
    )
    const everyone = await read(group1?.location)
    const managed = (await read(worker?.location)) as unknown as Record<string, { manager: { value: string } }>
    const bossId = (await read(boss?.location)).id
    assert.deepEqual(everyone.members?.map(({ display }) => display).sort(), ['boss', 'worker'])
    assert.equal(managed[enterprise]?.manager.value, bossId)
  })

  test('two groups may be members of each other', async () => {
    const { bulk, read } = await openDirectory()
    const entries = await bulk(group('a', 'bulkId:b'), group('b', 'bulkId:a'))
    for (const [index, other] of ['b', 'a'].entries()) {
      const { members = [], meta } = await read(entries[index]?.location)
      assert.deepEqual(
        members.map(({ display, type }) => ({ display, type })),
        [{ display: other, type: 'Group' }],
      )
      assert.equal(entries[index]?.version, meta.version)
    }
  })

  test('a failed operation and those that depend on it are reported; the others succeed', async () => {
    const { bulk, scim } = await openDirectory()
    await scim('POST', '/Users', { userName: 'taken' })
    const entries = await bulk(user('TAKEN'), group('of nobody', 'bulkId:TAKEN'), user('fine'))
    assert.deepEqual(
      entries.map(({ status, response }) => [status, response?.scimType]),
      [
        ['409', 'uniqueness'],
        ['409', undefined],
        ['201', undefined],
      ],
    )
    assert.match(entries[1]?.response?.detail ?? '', /"TAKEN"/)
    assert.equal((await scim('GET', '/Groups')).body.totalResults, 0)
  })

  test('no operation is started after failOnErrors errors', async () => {
    const { directory, scim } = await openDirectory()
    const wrong = { method: 'DELETE', path: '/Users/unknown' }
    const body = { failOnErrors: 2, Operations: [wrong, user('ann'), wrong, user('bob')] }
    const answer = await service().scim(directory, 'POST', '/Bulk', body)
    assert.equal((answer.body as unknown as { Operations: unknown[] }).Operations.length, 3)
    assert.equal((await scim('GET', '/Users')).body.totalResults, 1)
  })

  test('the events of a bulk request are delivered in order', async () => {
    await using receiver = await startReceiver()
    const { directory, bulk } = await openDirectory(receiver.endpoint)
    await bulk(user('ann'), group('Team', 'bulkId:ann'), { method: 'DELETE', path: '/Users/bulkId:ann' })
    const events = await receiver.firstEvents(directory.id, 4)
    assert.deepEqual(
      events.map(({ event }) => event),
      ['user.created', 'group.created', 'group.user_added', 'user.deleted'],
    )
  })

  test('a request whose client closes the connection is not executed to its end', async () => {
    const { directory, scim } = await openDirectory()
    const hangUp = new AbortController()
    const operations = Array.from({ length: 250 }, (_, index) => user(`u${index}`))
    const abandoned = fetch(`${service().origin}${directory.scim.path}/Bulk`, {
      ...{ method: 'POST', signal: hangUp.signal, body: JSON.stringify({ Operations: operations }) },
      headers: { authorization: `Bearer ${directory.scim.secret}`, 'content-type': 'application/scim+json' },
    })
    const created = async () => (await scim('GET', '/Users?count=0')).body.totalResults
    await eventually('the first user', async () => (await created()) > 0)
    hangUp.abort()
    await assert.rejects(abandoned, { name: 'AbortError' })
    let [before, after] = [-1, await created()]
    await eventually('the end of the request', async () => {
      ;[before, after] = [after, await created()]
      return before === after
    })
    assert.ok(after < operations.length, `${after} users were created`)
  })

  test('too many operations or bytes are rejected with 413 and the limit', async () => {
    const { scim } = await openDirectory()
    const many = Array.from({ length: 1001 }, () => ({}))
    assertScimError(await scim('POST', '/Bulk', { Operations: many }), 413)
    const { status, body } = await scim('POST', '/Bulk', { Operations: [user('x', { title: 'x'.repeat(20_000) })] })
    assert.equal(status, 413)
    assert.match(body.detail, /at most 20000 bytes/)
    const config = (await scim('GET', '/ServiceProviderConfig')).body as unknown as { bulk: object }
    assert.deepEqual(config.bulk, { supported: true, maxOperations: 1000, maxPayloadSize: 20_000 })
  })

  for (const [what, body] of [
    ['no object', 7],
    ['no operations', {}],
    ['an operation that is no object', { Operations: [7] }],
  ] as const) {
    test(`rejects a bulk request with ${what}`, async () => {
      const { scim } = await openDirectory()
      assertScimError(await scim('POST', '/Bulk', body), 400, 'invalidSyntax')
    })
  }
})
