import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import type { MappingView } from '../../../src/mapping/mappings.ts'
import type { PortalGroup } from '../../../src/setup/portal-groups.ts'
import type { PortalPreview, PortalRolesRun } from '../../../src/setup/portal-roles.ts'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import { eventually, poll } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'
import { adminSettings, events, login } from '../admin/support/admin.ts'
import { openLink } from './support/setup-link.ts'

const productMapping = {
  roles: {
    default: ['member'],
    keep_at_least: { admin: 1 },
    rules: [{ id: 'owners', role: 'admin', when: { group_name: 'Owners' } }],
  },
} satisfies MappingDocument

/** A setup link whose calls are repeated when they exceed the limit of requests per second. */
async function openPatiently(service: TestService, fields: object) {
  const { call, ...link } = await openLink(service, fields)
  const patiently: typeof call = (...args) =>
    poll(
      () => call(...args),
      ({ status }) => status !== 429,
      () => 'the rate limit',
    )
  return { ...link, call: patiently }
}

const tokenOf = (position: readonly unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')

let tenants = 0

/** A directory of a product with a mapping, with groups and their members, and a link for it. */
async function world(service: TestService, { roles = ['admin', 'billing'], product = 'crm' } = {}) {
  tenants += 1
  const tenant = `customer-${tenants}`
  const directory = await service.createDirectory({ tenant, product })
  const create = async (path: string, body: object) => {
    const { status, text, body: made } = await service.scim(directory, 'POST', path, body)
    assert.equal(status, 201, text)
    return made.id
  }
  const user = (userName: string) => create('/Users', { userName })
  const group = (displayName: string, ...ids: string[]) =>
    create('/Groups', { displayName, members: ids.map((value) => ({ value })) })
  const { call, link } = await openPatiently(service, { tenant, product, directoryId: directory.id, roles })
  const own = async () => (await service.api('GET', `/${directory.id}/mapping`)).body.data as unknown as MappingView
  return {
    ...{ tenant, directory, link, call, user, group, own },
    at: (groupId: string) => `/groups/${groupId}/role`,
    async groups(query = '') {
      const { status, body, text } = await call('GET', `/groups${query}`)
      assert.equal(status, 200, text)
      return { rows: body.data as unknown as PortalGroup[], pageToken: body.pageToken }
    },
    async preview(groupId: string, role: string | null) {
      const { status, body, text } = await call('POST', `/groups/${groupId}/role/preview`, { role })
      assert.equal(status, 200, text)
      return body.data as unknown as PortalPreview
    },
    /** Gives a role, and waits until the run that this begins is completed. */
    async give(groupId: string, role: string | null) {
      const { status, text } = await call('PUT', `/groups/${groupId}/role`, { role })
      assert.equal(status, 200, text)
      const run = async () => ((await call('GET', '/roles/run')).body.data as unknown as PortalRolesRun).run
      await eventually('the run to be completed', async () => (await run())?.state === 'completed')
      return run()
    },
    /** The roles of users, from the API. */
    rolesOf: (...ids: string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const { body } = await service.api('GET', `/users/${id}?directoryId=${directory.id}`)
          return String((body.data as unknown as { roles?: readonly string[] }).roles ?? [])
        }),
      ),
  }
}

forEachEngine((engine) => {
  const opened = forSuite(async () => startTestService(engine, adminSettings))

  test('a customer gives a role to a group, changes it and takes it away; users get it, and previews say so before', async () => {
    const service = opened()
    const product = 'with mapping'
    await service.api('PUT', `/mapping?product=${encodeURIComponent(product)}`, { mapping: productMapping })
    const { directory, link, user, group, own, groups, preview, give, rolesOf } = await world(service, { product })
    const [ann, bob, cid] = [await user('ann@x.example'), await user('bob@x.example'), await user('cid@x.example')]
    const engineers = await group('Engineers', ann, bob)
    const [support] = [await group('Support team', bob), await group('Owners', cid)]
    assert.deepEqual(await rolesOf(ann, bob, cid), ['member', 'member', 'admin'])

    const expected: PortalPreview = {
      roles: [
        {
          role: 'admin',
          gain: { count: 2, examples: ['ann@x.example', 'bob@x.example'] },
          lose: { count: 0, examples: [] },
          too_few: false,
        },
        {
          role: 'member',
          gain: { count: 0, examples: [] },
          lose: { count: 2, examples: ['ann@x.example', 'bob@x.example'] },
          too_few: false,
        },
      ],
    }
    assert.deepEqual(await preview(engineers, 'admin'), expected)
    assert.deepEqual((await own()).inherited, true)
    assert.partialDeepStrictEqual(await give(engineers, 'admin'), { evaluated: 3, changed: 2 })
    const rule = (role: string) => ({ id: `portal:${engineers}`, role, when: { group: engineers } })
    assert.deepEqual((await own()).mapping, { extends: 'product', roles: { rules: [rule('admin')] } })
    assert.deepEqual(await rolesOf(ann, bob, cid), ['admin', 'admin', 'admin'])
    assert.deepEqual(
      (await groups()).rows.map(({ name, members, role, can_change }) => [name, members, role, can_change]),
      [
        ['Engineers', 2, 'admin', true],
        ['Owners', 1, null, true],
        ['Support team', 1, null, true],
      ],
    )

    assert.deepEqual((await preview(engineers, 'admin')).roles, [], 'it has the role already')
    await give(engineers, 'billing')
    assert.deepEqual((await own()).mapping, { extends: 'product', roles: { rules: [rule('billing')] } })
    await give(support, 'billing')
    await give(engineers, null)
    assert.deepEqual(await rolesOf(ann, bob, cid), ['member', 'billing', 'admin'])
    await service.api('PUT', `/mapping?product=${encodeURIComponent(product)}`, {
      mapping: { roles: { ...productMapping.roles, default: ['guest'] } },
    })
    await eventually('the mapping of the product to be followed', async () => (await rolesOf(ann))[0] === 'guest')
    await give(support, null)
    assert.partialDeepStrictEqual(await own(), { inherited: true, mapping: { roles: { default: ['guest'] } } })

    const { body } = await service.api('GET', `/feed?directoryId=${directory.id}`)
    const because = [{ role: 'billing', rule: `portal:${engineers}`, group: { id: engineers, name: 'Engineers' } }]
    const changes = (
      body.data as unknown as { data: { id: string }; changes?: { roles: { to: string[]; because: object[] } } }[]
    ).flatMap(({ data, changes: made }) => (data.id === ann && made ? [made.roles] : []))
    assert.deepEqual(
      changes.map(({ to }) => String(to)),
      ['admin', 'billing', 'member', 'guest'],
    )
    assert.deepEqual(changes[1]?.because, because)
    const versions = await service.api('GET', `/${directory.id}/mapping/versions`)
    const [newest] = versions.body.data as unknown as { version: number; mapping: null; created_by: string }[]
    assert.partialDeepStrictEqual(newest, { version: 5, mapping: null, created_by: 'Setup portal' })
    const shown = await service.api('GET', `/setuplinks?id=${link.setupID}`)
    assert.partialDeepStrictEqual(shown.body.data as unknown as SetupLinkView, {
      state: 'used',
      roles: ['admin', 'billing'],
    })
    const audited = (await events(await login(service))).filter(({ actor }) => actor.id === link.setupID)
    assert.deepEqual(
      audited.map(({ action, actor, target }) => [action, actor.kind, target.id]),
      ['removed', 'changed', 'changed', 'changed', 'changed'].map((what) => [`mapping.${what}`, 'setup', directory.id]),
    )
  })

  test('groups are listed by name, page by page, and found by any word of their names', async () => {
    const { group, groups, give } = await world(opened())
    const sales = await group('Sales Europe')
    for (const name of ['zebras', 'Accounts', 'Europe']) await group(name)
    await give(sales, 'admin')
    const first = await groups('?pageLimit=3')
    const names = ({ rows }: typeof first) => rows.map(({ name }) => name)
    assert.deepEqual(names(first), ['Accounts', 'Europe', 'Sales Europe'])
    const second = await groups(`?pageLimit=3&pageToken=${first.pageToken}`)
    assert.deepEqual([names(second), second.pageToken], [['zebras'], undefined])
    const found = await groups('?search=EUR')
    assert.deepEqual(found.rows.map(({ name, role }) => [name, role]).sort(), [
      ['Europe', null],
      ['Sales Europe', 'admin'],
    ])
    assert.deepEqual(names(await groups('?search=nothing')), [])
  })

  test('what the product has put into the mapping of the directory is neither changed nor shown', async () => {
    const service = opened()
    const { directory, group, groups, give, own, user, rolesOf, call, at } = await world(service)
    const ann = await user('ann@x.example')
    const [team, owners, fixed] = [await group('Team', ann), await group('Owners', ann), await group('Fixed', ann)]
    const vendors = [
      { id: 'secret rule', role: 'owner', when: { group: owners } },
      { id: `portal:${fixed}`, role: 'admin', when: { group: fixed, filter: 'userType eq "Employee"' } },
    ]
    const document = { roles: { mode: 'all', default: ['guest'], rules: vendors } }
    await service.api('PUT', `/${directory.id}/mapping`, { mapping: document })
    await give(team, 'admin')
    const rule = { id: `portal:${team}`, role: 'admin', when: { group: team } }
    assert.deepEqual((await own()).mapping, { roles: { ...document.roles, rules: [...vendors, rule] } })
    assert.deepEqual(await rolesOf(ann), ['admin,owner'])
    assert.deepEqual(
      (await groups()).rows.map(({ name, role, can_change }) => [name, role, can_change]),
      [
        ['Fixed', 'admin', false],
        ['Owners', null, true],
        ['Team', 'admin', true],
      ],
    )
    const refused = await call('PUT', at(fixed), { role: null })
    assert.deepEqual([refused.status, refused.body.error.reason], [403, 'forbidden'])
    assert.match(refused.text, /was set by the product/)
    await give(team, null)
    assert.deepEqual((await own()).mapping, document)
    const shown = [
      (await call('GET')).text,
      (await call('GET', '/groups')).text,
      (await call('GET', '/roles/run')).text,
    ]
    for (const text of shown) assert.doesNotMatch(text, /secret rule|guest|owner"/)
  })

  test('a mapping that would be invalid is refused without saying what the product has put into it', async () => {
    const service = opened()
    const { directory, group, call, at } = await world(service)
    const team = await group('Team')
    const rules = Array.from({ length: 1000 }, (_, n) => ({ role: `vendor ${n % 9}`, when: { filter: 'title pr' } }))
    await service.api('PUT', `/${directory.id}/mapping`, { mapping: { roles: { rules } } })
    for (const [method, path] of [
      ['PUT', at(team)],
      ['POST', `${at(team)}/preview`],
    ] as const) {
      const { status, text } = await call(method, path, { role: 'admin' })
      assert.equal(status, 403, text)
      assert.match(text, /rules of the product do not allow this/)
    }
  })

  test('the rule of a deleted group is not shown, and goes with the next change', async () => {
    const service = opened()
    const { directory, group, groups, give, own } = await world(service)
    const [team, other] = [await group('Team'), await group('Other')]
    await give(team, 'admin')
    await service.scim(directory, 'DELETE', `/Groups/${team}`)
    assert.deepEqual(
      (await groups()).rows.map(({ name }) => name),
      ['Other'],
    )
    await give(other, 'billing')
    const rule = { id: `portal:${other}`, role: 'billing', when: { group: other } }
    assert.deepEqual((await own()).mapping, { extends: 'product', roles: { rules: [rule] } })
  })

  test('only roles of the link are given and taken, to groups of its directory, and only with a link that has roles', async () => {
    const service = opened()
    const { tenant, directory, group, call, at, give } = await world(service)
    const [team, other] = [await group('Team'), await (await world(service)).group('Team of another customer')]
    const refusals = [
      { path: at(team), role: 'owner', status: 400, message: /role: this link is for admin, billing/ },
      { path: at(team), role: '', status: 400, message: /role: one of the roles of the link, or null/ },
      { path: at(other), role: 'admin', status: 404, message: /no such group/ },
      { path: at('%00'), role: 'admin', status: 404, message: /no such group/ },
    ]
    for (const { path, role, status, message } of refusals) {
      for (const answer of [await call('PUT', path, { role }), await call('POST', `${path}/preview`, { role })]) {
        assert.equal(answer.status, status, answer.text)
        assert.match(answer.text, message)
      }
    }
    for (const query of [
      '?pageToken=x',
      '?pageLimit=0',
      '?tenant=x',
      `?search=t&pageToken=${tokenOf(['team', 1, 'x'])}`,
      `?pageToken=${tokenOf(['\0', 1, 'x'])}`,
    ]) {
      assert.equal((await call('GET', `/groups${query}`)).status, 400, query)
    }
    for (const position of [
      ['\ud800', -1, 'x'],
      ['team', Number.MAX_SAFE_INTEGER, team],
    ]) {
      assert.equal((await call('GET', `/groups?pageToken=${tokenOf(position)}`)).status, 200, String(position))
    }
    await give(team, 'billing')
    const next = await openPatiently(service, { tenant, directoryId: directory.id, roles: ['admin'], regenerate: true })
    const listed = (await next.call('GET', '/groups')).body.data as unknown as PortalGroup[]
    assert.deepEqual(
      listed.map(({ role, can_change }) => [role, can_change]),
      [['billing', false]],
    )
    const taken = await next.call('PUT', at(team), { role: null })
    assert.equal(taken.status, 403)
    assert.match(taken.text, /none of those that this link can change/)
    assert.equal((await call('GET', '/groups')).status, 410, 'the link before was replaced')
    assert.equal((await call('PUT', at(team), { role: null })).status, 410)
    const without = await openPatiently(service, { tenant, directoryId: directory.id, regenerate: true })
    assert.deepEqual((await without.call('GET')).data.roles, [])
    for (const [method, path, body] of [
      ['GET', '/groups'],
      ['GET', '/roles/run'],
      ['PUT', at(team), { role: null }],
      ['POST', `${at(team)}/preview`, { role: null }],
    ] as const) {
      const { status, text } = await without.call(method, path, body)
      assert.equal(status, 403, text)
      assert.match(text, /not for giving roles/)
    }
  })

  test('a link with roles can be made before the directory exists', async () => {
    const service = opened()
    const { call } = await openLink(service, { tenant: 'not yet', product: 'crm', roles: ['admin'] })
    assert.deepEqual((await call('GET')).data.roles, ['admin'])
    assert.equal((await call('GET', '/groups')).status, 404)
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const { status, body } = await call('GET', '/groups')
    assert.deepEqual([status, body.data], [200, []])
  })

  test('of several roles that are given at once none is lost, nor what the product changes meanwhile', async () => {
    const service = opened()
    const product = 'at once'
    await service.api('PUT', '/mapping?product=at%20once', { mapping: productMapping })
    const { directory, group, groups, call, at, own } = await world(service, { product })
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await group(name))
    const answers = await Promise.all(ids.map((id) => call('PUT', at(id), { role: 'admin' })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const before = await own()
    assert.deepEqual(before.mapping?.roles?.rules?.map(({ id }) => id).sort(), ids.map((id) => `portal:${id}`).sort())
    const mapping = { ...before.mapping, attributes: { title: { from: ['title'] } } }
    const [put, ...taken] = await Promise.all([
      service.api('PUT', `/${directory.id}/mapping`, { mapping, version: before.version }),
      ...ids.slice(0, 2).map((id) => call('PUT', at(id), { role: null })),
    ])
    assert.deepEqual(
      taken.map(({ status }) => status),
      [200, 200],
    )
    const after = await own()
    assert.equal(after.mapping?.attributes !== undefined, put.status === 200, 'the product has won, or was refused')
    assert.equal(after.version, before.version + (put.status === 200 ? 3 : 2))
    assert.equal(
      (await groups()).rows.filter(({ role }) => role !== null).length,
      put.status === 200 ? after.mapping?.roles?.rules?.length : 2,
    )
  })

  test('a preview says when too few would keep a role, and the change then holds the directory', async () => {
    const service = opened()
    const { directory, user, group, preview, give } = await world(service)
    const admins = await group('Admins', await user('ann@x.example'))
    await give(admins, 'admin')
    const keeping = {
      extends: 'product',
      roles: {
        keep_at_least: { admin: 1 },
        rules: [{ id: `portal:${admins}`, role: 'admin', when: { group: admins } }],
      },
    }
    await service.api('PUT', `/${directory.id}/mapping`, { mapping: keeping })
    assert.deepEqual((await preview(admins, 'admin')).roles, [])
    const { roles } = await preview(admins, null)
    assert.deepEqual(roles, [
      {
        role: 'admin',
        gain: { count: 0, examples: [] },
        lose: { count: 1, examples: ['ann@x.example'] },
        too_few: true,
      },
    ])
    await give(admins, null)
    const hold = await service.api('GET', `/${directory.id}/hold`)
    assert.partialDeepStrictEqual(hold.body.data as unknown as object, { held: true, reason: 'roles', role: 'admin' })
  })
})
