import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'

type Answer = Readonly<Record<string, unknown>>

async function call(service: TestService, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await service.api(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as unknown as { data: Answer }).data
}

async function scim(service: TestService, directory: DirectoryView, method: string, path: string, body?: object) {
  const answer = await service.scim(directory, method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.text === '' ? {} : (JSON.parse(answer.text) as { id: string })
}

const patch = (operation: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [operation],
})
const roles = (group_name: string) => ({
  default: ['member'],
  keep_at_least: { admin: 1 },
  rules: [{ id: 'admins', role: 'admin', when: { group_name } }],
})

/** A directory that extends the mapping of its product, by which `ann` is the only administrator, being in a group. */
async function createWorld(service: TestService, product: string) {
  const directory = await service.createDirectory({ product })
  const { id: ann } = (await scim(service, directory, 'POST', '/Users', { userName: 'ann' })) as { id: string }
  await scim(service, directory, 'POST', '/Users', { userName: 'bob' })
  const members = [{ value: ann }]
  const group = await scim(service, directory, 'POST', '/Groups', { displayName: 'Admins', members })
  await call(service, 'PUT', `/${directory.id}/mapping`, { mapping: { extends: 'product' } })
  await call(service, 'PUT', `/mapping?product=${product}`, { mapping: { roles: roles('Admins') } })
  await eventually('ann to be an administrator', async () => {
    const user = await call(service, 'GET', `/users/${ann}?directoryId=${directory.id}`)
    return String(user['roles']) === 'admin'
  })
  return { service, directory, product, user: `/Users/${ann}`, ann, group: `/Groups/${(group as { id: string }).id}` }
}

type World = Awaited<ReturnType<typeof createWorld>>

/** Puts a mapping by which nobody is an administrator, after its preview has warned of that. */
async function putWarned({ service }: World, at: string, mapping: object): Promise<void> {
  const [path = '', query = ''] = at.split('?')
  const { warnings } = await call(service, 'POST', `${path}/preview?${query}`, { mapping })
  const { rule, message } = (warnings as Answer[]).find(({ code }) => code === 'too-few-users') ?? {}
  assert.deepEqual([rule, message], ['admin', '0 users have the role admin; 1 must keep it.'])
  await call(service, 'PUT', at, { mapping })
}

const losses: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'is removed from the group': ({ service, directory, group, ann }) =>
    scim(service, directory, 'PATCH', group, patch({ op: 'remove', path: `members[value eq "${ann}"]` })),
  'is deactivated': ({ service, directory, user }) =>
    scim(service, directory, 'PATCH', user, patch({ op: 'replace', path: 'active', value: false })),
  'is deleted': ({ service, directory, user }) => scim(service, directory, 'DELETE', user),
  'loses the group': ({ service, directory, group }) => scim(service, directory, 'DELETE', group),
  'is in a group that is renamed': ({ service, directory, group }) =>
    scim(service, directory, 'PATCH', group, patch({ op: 'replace', path: 'displayName', value: 'Others' })),
  'has no role by a new mapping': (world) =>
    putWarned(world, `/${world.directory.id}/mapping`, { extends: 'product', roles: roles('Owners') }),
  'has no role by a new mapping of the product': (world) =>
    putWarned(world, `/mapping?product=${world.product}`, { roles: roles('Owners') }),
}

const sentence = /a change left 0 users with the role admin, and 1 must keep it/i

forEachEngine((engine) => {
  test('events are held, and the sentence names the role, when the last administrator …', async (t) => {
    await using operator = await startReceiver()
    await using service = await startTestService(engine, {
      OPERATOR_WEBHOOK_URL: operator.endpoint.webhook_url,
      OPERATOR_WEBHOOK_SECRET: testSecret,
    })
    const held: string[] = []
    for (const [index, [what, lose]] of Object.entries(losses).entries()) {
      await t.test(`… ${what}`, async () => {
        const world = await createWorld(service, `product-${index}`)
        const at = `/${world.directory.id}`
        await lose(world)
        await eventually('the hold', async () => (await call(service, 'GET', `${at}/hold`))['held'] === true)
        held.push(world.directory.id)
        assert.partialDeepStrictEqual(await call(service, 'GET', `${at}/hold`), {
          ...{ reason: 'roles', role: 'admin', role_users: 0, keep_at_least: 1 },
        })
        const { reasons } = await call(service, 'GET', `${at}/health`)
        assert.match(String((reasons as Answer[]).find(({ code }) => code === 'held')?.['message']), sentence)
        const explained = await call(service, 'GET', `/explain?directoryId=${world.directory.id}&subject=ann`)
        assert.match(String(explained['sentence']), sentence)
      })
    }
    await operator.until(() => operator.attempts.length === held.length, 'a notice of each hold')
    const notices = operator.attempts.map(({ body }) => (JSON.parse(body) as { data: Answer }).data)
    assert.deepEqual(new Set(notices.map((data) => data['directory_id'])), new Set(held))
    for (const { message } of notices) assert.match(String(message), sentence)
  })
})
