import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { isMarked, searchedFor } from './support/marker.ts'
import { markedPlaces } from './support/tables.ts'

const settings = { DSYNC_REMOVAL_LIMIT_PERCENT: '', DSYNC_WEBHOOK_TIMEOUT: '2000' }
const scope = { tenant: 'acme', product: 'crm' }
const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const custom = 'urn:example:params:scim:schemas:extension:custom:2.0:User'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

async function send(client: Client, directory: DirectoryView, status: number, ...request: [string, string, unknown?]) {
  const answer = await client.scim(directory, ...request)
  assert.equal(answer.status, status, `${request[0]} ${request[1]}: ${answer.text}`)
  return answer.body
}

const patch = (path: string, value: unknown) => ({
  schemas: [patchOp],
  Operations: [{ op: 'replace', path, value }],
})

const search = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`

/** Erases somebody in a stopped service, after a life in a directory of its own, and returns what is stored before and after. */
async function erased<T>(
  engine: 'sqlite' | 'postgres',
  options: {
    readonly subject: string
    readonly fields?: object
    live(service: TestService, directory: DirectoryView): Promise<T>
    after?(service: TestService, directory: DirectoryView, life: T): Promise<void>
    readonly gone: readonly string[]
  },
): Promise<void> {
  await using database = await openTestDatabase(engine)
  const searched = searchedFor(options.gone)
  const logs: string[] = []
  {
    await using service = await startTestService(database, settings, {
      onLog: (line) => logs.push(JSON.stringify(line)),
    })
    const directory = await service.createDirectory({ ...scope, log_scim_requests: true, ...options.fields })
    const life = await options.live(service, directory)
    const { status, text } = await service.api('POST', '/privacy/erase', { ...scope, subject: options.subject })
    assert.equal(status, 200, text)
    await options.after?.(service, directory, life)
    const feed = await service.api('GET', `/feed?directoryId=${directory.id}&limit=1000`)
    assert.deepEqual(
      options.gone.filter((one) => isMarked(feed.text, searchedFor([one]))),
      [],
    )
  }
  assert.deepEqual(await markedPlaces(database, searched), [])
  assert.deepEqual(
    logs.filter((line) => isMarked(line, searched)),
    [],
  )
}

forEachEngine((engine) => {
  test('attributes that a mapping has made of texts about the person are erased at others, and no others', async () => {
    await using receiver = await startReceiver()
    const chief = `${custom}:chief.displayName`
    const mapping = {
      attributes: {
        boss: { from: [chief] },
        boss_first: { from: [chief], transform: ['lower', { before: ' ' }] },
        boss_domain: { from: [`${custom}:assistant`], transform: [{ after: '@' }] },
        own: { from: ['displayName'] },
        domain: { from: ['userName'], transform: [{ after: '@' }] },
      },
    }
    await erased(engine, {
      subject: 'zyxann.lee@zyxhome.example',
      fields: { ...receiver.endpoint, log_webhook_events: true },
      gone: ['zyxann.lee@zyxhome.example', 'Zyxann Lee', 'zyxann', 'zyxhome.example'],
      async live(service, directory) {
        const put = await service.api('PUT', `/${directory.id}/mapping`, { mapping })
        assert.equal(put.status, 200, put.text)
        const name = { givenName: 'Zyxann', familyName: 'Lee' }
        const person = { userName: 'zyxann.lee@zyxhome.example', displayName: 'Zyxann Lee', name, active: false }
        const { id } = await send(service, directory, 201, 'POST', '/Users', person)
        const other = {
          ...{ schemas: [core, enterprise, custom], userName: 'carl@acme.example', displayName: 'Carl', active: true },
          [enterprise]: { manager: { value: id } },
          [custom]: { chief: { id, displayName: 'Zyxann Lee' }, assistant: 'zyxann.lee@zyxhome.example' },
        }
        const { id: otherId } = await send(service, directory, 201, 'POST', '/Users', other)
        const long = { [custom]: { ...other[custom], note: 'long '.repeat(3_000) } }
        const { id: longId } = await send(service, directory, 201, 'POST', '/Users', {
          ...{ ...other, ...long, userName: 'dora@acme.example', displayName: 'Dora' },
        })
        const members = [{ value: otherId }, { value: longId }]
        await send(service, directory, 201, 'POST', '/Groups', { displayName: 'Crew', members })
        const alone = { ...other, [custom]: { assistant: 'x@acme.example' } }
        await send(service, directory, 200, 'PUT', `/Users/${otherId}`, alone)
        await send(service, directory, 200, 'PUT', `/Users/${otherId}`, other)
        await receiver.until(() => receiver.events(directory.id).length >= 7)
        const { text } = await service.api('GET', `/users/${otherId}?directoryId=${directory.id}`)
        assert.match(text, /"boss_first":"zyxann"/)
        return otherId
      },
      async after(service, directory, otherId) {
        const { body } = await service.api('GET', `/users/${otherId}?directoryId=${directory.id}`)
        const gone = { boss: '(erased)', boss_first: '(erased)', boss_domain: '(erased)' }
        const { attributes } = body.data as unknown as { attributes: object }
        assert.deepEqual(attributes, { ...gone, own: 'Carl', domain: 'acme.example' })
      },
    })
  })

  test('names of two or three letters and names in Chinese are erased as whole words, and longer words stay', async () => {
    await erased(engine, {
      subject: 'qzx',
      gone: ['qzx', '李小明', '小明', 'q9', '李 小明'],
      async live(service, directory) {
        const person = {
          ...{ userName: 'qzx', externalId: 'q9', displayName: '李小明', active: false },
          name: { givenName: '小明', familyName: '李' },
        }
        const { id } = await send(service, directory, 201, 'POST', '/Users', person)
        const { id: otherId } = await send(service, directory, 201, 'POST', '/Users', {
          ...{
            schemas: [core, enterprise, custom],
            userName: 'carl@acme.example',
            displayName: 'qzxcat',
            active: true,
          },
          [enterprise]: { costCenter: '李小明' },
          [custom]: {
            ...{ backup: 'QZX', cat: 'qzxcat', mail: 'qzx@acme.example', note: '负责人李小明。', q: 9 },
            tags: { 李小明: 'a' },
          },
        })
        for (const filter of [
          'userName eq "qzx"',
          'externalId eq "q9"',
          'name.givenName eq "小明"',
          'displayName co "李小明"',
        ])
          await send(service, directory, 200, 'GET', search(filter))
        await send(service, directory, 404, 'GET', '/Users/q9')
        await send(service, directory, 409, 'POST', '/Users', person)
        await send(service, directory, 400, 'POST', '/Users', {
          userName: 'someone',
          externalId: 'q9',
          title: { a: 1 },
        })
        await send(service, directory, 200, 'PATCH', `/Users/${id}`, patch('nickName', '李 小明'))
        await send(service, directory, 200, 'GET', search('displayName eq "qzxcat"'))
        return otherId
      },
      async after(service, directory, otherId) {
        const { body } = await service.scim(directory, 'GET', `/Users/${otherId}`)
        assert.deepEqual((body as unknown as Record<string, unknown>)[custom], {
          ...{ backup: '(erased)', cat: 'qzxcat', mail: 'qzx@acme.example', note: '(erased)', q: 9, tags: {} },
        })
        assert.equal(body['displayName'], 'qzxcat')
        const log = await service.api('GET', `/${directory.id}/requests`)
        assert.match(log.text, /displayName%20eq%20%22qzxcat%22/)
      },
    })
  })

  test('requests that name the person by another userName, with its address or externalId, are erased', async () => {
    await erased(engine, {
      subject: 'zyxeva@acme.example',
      gone: [
        ...[
          'zyxeva@acme.example',
          'zyxext-1',
          'zyxeva.new@acme.example',
          'zyxeva.third@acme.example',
          'Zyxeva Newname',
        ],
        'zyxeva.bulk@acme.example',
      ],
      async live(service, directory) {
        const emails = [{ value: 'zyxeva@acme.example' }]
        const person = { userName: 'zyxeva@acme.example', externalId: 'zyxext-1', emails, active: false }
        await send(service, directory, 201, 'POST', '/Users', person)
        await send(service, directory, 201, 'POST', '/Users', { userName: 'carl@acme.example', active: true })
        // As providers do: a search for the new name, then a create that is refused.
        await send(service, directory, 200, 'GET', search('userName eq "zyxeva.new@acme.example"'))
        const renamed = { userName: 'zyxeva.new@acme.example', displayName: 'Zyxeva Newname', title: { a: 1 } }
        await send(service, directory, 400, 'POST', '/Users', { ...renamed, externalId: 'zyxext-1' })
        await send(service, directory, 404, 'PUT', '/Users/unknown', {
          ...{ userName: 'zyxeva.third@acme.example', emails: [{ value: 'ZYXEVA@acme.example' }] },
        })
        const data = { userName: 'zyxeva.bulk@acme.example', externalid: 'zyxext-1', title: { a: 1 } }
        await send(service, directory, 200, 'POST', '/Bulk', {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations: [{ method: 'POST', path: '/Users', bulkId: 'one', data }],
        })
        // Names that no user may have.
        for (const userName of ['zyx\u0000eva', 'x'.repeat(5_000)])
          await send(service, directory, 400, 'POST', '/Users', { userName, externalId: 'zyxext-1' })
        // About somebody else, who stays who it is.
        const carl = { userName: 'carl@acme.example', externalId: 'zyxext-1', active: true }
        await send(service, directory, 409, 'POST', '/Users', carl)
      },
      async after(service, directory) {
        const log = await service.api('GET', `/${directory.id}/requests?subject=carl@acme.example&method=POST`)
        assert.equal(log.body.data.length, 2)
      },
    })
  })

  test('the reason of an earlier erasure that names the person is erased', async () => {
    await erased(engine, {
      subject: 'zyxfay@acme.example',
      gone: ['zyxfay@acme.example'],
      async live(service, directory) {
        for (const userName of ['zyxfay@acme.example', 'gus@acme.example'])
          await send(service, directory, 201, 'POST', '/Users', { userName, active: false })
        const reason = 'asked by zyxfay@acme.example'
        const first = await service.api('POST', '/privacy/erase', { ...scope, subject: 'gus@acme.example', reason })
        assert.equal(first.status, 200, first.text)
      },
      async after(service) {
        const { body } = await service.api('GET', '/privacy/erasures?tenant=acme&product=crm')
        assert.deepEqual(
          (body.data as unknown as { reason: string }[]).map(({ reason }) => reason),
          [null, '(erased)'],
        )
      },
    })
  })
})

test('an erasure that cannot overwrite what is left in the file is not finished, and the next one finishes it', async () => {
  await using database = await openTestDatabase('sqlite')
  await using service = await startTestService(database, settings)
  const directory = await service.createDirectory(scope)
  await send(service, directory, 201, 'POST', '/Users', { userName: 'zyxhal@acme.example', active: false })
  const erase = async () =>
    (await service.api('POST', '/privacy/erase', { ...scope, subject: 'zyxhal@acme.example' })).status
  const erasures = async () => (await service.api('GET', '/privacy/erasures?tenant=acme&product=crm')).body.data
  const file = join(database.folder, 'rollcall.db')
  await rename(file, `${file}.moved`)
  assert.equal(await erase(), 503)
  assert.deepEqual(await erasures(), [])
  await rename(`${file}.moved`, file)
  assert.equal(await erase(), 404)
  assert.partialDeepStrictEqual(await erasures(), [{ places: { users: 1 } }])
})
