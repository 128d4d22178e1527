import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeGoogle } from '../../src/cli/fake-google/server.ts'
import { eventually } from '../guarantees/support/eventually.ts'
import type { Answer } from '../support/client.ts'
import { apiPrefix } from '../support/client.ts'
import { openEventStream } from '../support/event-stream.ts'
import { settingsOf } from '../support/extdir.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Engine } from '../support/service.ts'
import { forEachEngine, forSuite, openTestDatabase, startTestService } from '../support/service.ts'
import { makeKeys } from './support/keys.ts'
import type { Place } from './support/place.ts'
import { openPlace, stateOf, withoutRequestId } from './support/place.ts'
import type { NamedUse } from './support/routes.ts'
import { describedRoutes, namedUses, routeUses, usesBy } from './support/routes.ts'

const [tenant, product, readOnly] = ['acme', 'crm', true]

const wantedKeys = {
  tenant: { scope: { tenant } },
  product: { scope: { product } },
  both: { scope: { tenant, product } },
  reader: { scope: { readOnly } },
  tenantReader: { scope: { tenant, readOnly } },
  bothReader: { scope: { tenant, product, readOnly } },
  expired: { scope: {}, fate: 'expired' },
  deleted: { scope: {}, fate: 'deleted' },
} as const
type KeyName = keyof typeof wantedKeys

/** The keys with a scope, and what of the four places is not theirs. */
const scopedKeys = [
  { name: 'tenant', isTheirs: (place: Place) => place.tenant === tenant },
  { name: 'product', isTheirs: (place: Place) => place.product === product },
  { name: 'both', isTheirs: (place: Place) => place.tenant === tenant && place.product === product },
  { name: 'bothReader', isTheirs: (place: Place) => place.tenant === tenant && place.product === product },
] as const

const unknown = '01890000-0000-7000-8000-000000000000'
const unknownPlace = (place: Place): Place => ({
  ...place,
  directory: { ...place.directory, id: unknown },
  pulled: { ...place.pulled, id: unknown },
  ...{ userId: unknown, groupId: unknown, runId: unknown, deliveryId: unknown },
})

async function openWorld(engine: Engine) {
  const database = await openTestDatabase(engine)
  const keys = await makeKeys(database, wantedKeys)
  const [google, receiver] = [await startFakeGoogle(), await startReceiver()]
  const service = await startTestService(database, settingsOf(google))
  const open = (names: readonly [string, string]) => openPlace(service, google, receiver, names)
  const own = await open(['acme', 'crm'])
  const others = [await open(['globex', 'crm']), await open(['acme', 'erp']), await open(['globex', 'erp'])]

  const send = (key: KeyName, method: string, path: string, body?: unknown, headers = {}) =>
    service.request(method, path.startsWith('/api/') ? path : apiPrefix + path, {
      body,
      headers: { authorization: `Api-Key ${keys[key]}`, ...headers },
    })

  let known: readonly string[] | undefined
  return {
    ...{ keys, service, own, others, open, send },
    use: (key: KeyName, { method, path, body }: NamedUse, place: Place, query = '') =>
      send(key, method, path(place) + query, body),
    /** What others have must be the same before and after. */
    async untouched(attempts: () => Promise<void>): Promise<void> {
      const before = known ?? (await stateOf(service, others))
      await attempts()
      known = await stateOf(service, others)
      assert.deepEqual(known, before)
    },
    /** Says that a test has changed what others have. */
    touched(): void {
      known = undefined
    },
    /** No answer may hold anything of a place that is not the key's. */
    assertSilent({ text }: Answer, foreign: readonly Place[], what: string): void {
      const heard = foreign.flatMap(({ marks }) => marks).filter((mark) => text.includes(mark))
      assert.deepEqual(heard, [], what)
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await google[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** All that a caller sees of an answer but for what no two answers share. */
function seen({ status, headers, body }: Answer): unknown {
  const { 'x-request-id': _, date, ...rest } = headers
  return { status, headers: rest, body: withoutRequestId(body) }
}

/** Ways to write a query value so that two readers of it might disagree. */
function twisted(name: string, ours: string, theirs: string): readonly string[] {
  const t = encodeURIComponent(theirs)
  return [
    ...[`${name}=${ours}&${name}=${t}`, `${name}=${t}&${name}=${ours}`, `${name}[]=${t}`, `${name}[x]=${t}`],
    ...[`${name}=${t.toUpperCase()}`, `${name.toUpperCase()}=${t}`, `${name}=${t}%20`, `${name}=%20${t}`],
    ...[`${name}=${t}%00`, `${name}=${ours}%00${t}`, `${name}=${ours},${t}`, `${name}=${ours}%2C${t}`, `${name}=`],
    ...[`${name}=${'x'.repeat(5000)}`, `${name}=*`, `${name}=%25`, `${name}=_____`, `${name}=null`, `${name}`],
    ...[`${name}=${ours}%27%20or%20%27a%27=%27a`, `${name}=${ours}%26${name}=${t}`, `${name}=${ours};${name}=${t}`],
    ...[`__proto__[${name}]=${t}`, `__proto__=${t}`, `constructor[prototype][${name}]=${t}`, `%74enant=${t}`],
    ...[`${name}=${ours}%0d%0a${t}`, `${name}=%C0%AE`, `${name}=%ff`, `${name}.x=${t}`, `%00${name}=${t}`],
  ]
}

forEachEngine((engine) => {
  const world = forSuite(() => openWorld(engine))

  test('the table has every route that is described, and no other', async () => {
    assert.deepEqual([...(await describedRoutes(world().service))].sort(), Object.keys(routeUses).sort())
  })

  for (const { name, isTheirs } of scopedKeys) {
    const isAllowed = ({ method }: NamedUse) => name !== 'bothReader' || method === 'GET'
    const foreign = () => world().others.filter((place) => !isTheirs(place))

    test(`the key "${name}" does not find the directories of others, on any route`, () =>
      world().untouched(async () => {
        for (const route of usesBy('directory')) {
          for (const place of foreign()) {
            const answer = await world().use(name, route, place)
            assert.equal(answer.status, isAllowed(route) ? 404 : 403, `${route.name} ${answer.text}`)
            assert.deepEqual(seen(answer), seen(await world().use(name, route, unknownPlace(place))), route.name)
          }
        }
      }))

    test(`the key "${name}" does not find them under the API's other name either`, () =>
      world().untouched(async () => {
        for (const { name: route, method, path, body } of usesBy('directory')) {
          for (const place of foreign()) {
            const { status } = await world().send(name, method, `/api/v1/dsync${path(place)}`, body)
            assert(status === 404 || (status === 403 && method !== 'GET'), `${route} ${status}`)
          }
        }
      }))

    test(`the key "${name}" does not find them by directoryId, on any route`, () =>
      world().untouched(async () => {
        for (const route of usesBy('query').filter(({ path }) => path(world().own) !== '')) {
          for (const place of foreign()) {
            const answer = await world().use(name, route, place, `?directoryId=${place.directory.id}`)
            world().assertSilent(answer, foreign(), route.name)
            if (route.name === 'GET /product') continue
            assert.equal(answer.status, isAllowed(route) ? 404 : 403, `${route.name} ${answer.text}`)
            const nobody = await world().use(name, route, unknownPlace(place), `?directoryId=${unknown}`)
            assert.deepEqual(seen(answer), seen(nobody), route.name)
          }
        }
      }))

    test(`the key "${name}" may not name the tenant or the product of others, on any route`, () =>
      world().untouched(async () => {
        for (const route of usesBy('query')) {
          for (const place of foreign()) {
            const answer = await world().use(
              name,
              route,
              place,
              `?tenant=${place.tenant}&product=${place.product}&directoryId=${place.directory.id}`,
            )
            assert.equal(answer.status, 403, `${route.name} ${answer.text}`)
            world().assertSilent(answer, foreign(), route.name)
          }
        }
      }))

    test(`the key "${name}" finds no resource of others within its own scope`, async () => {
      for (const route of usesBy('query').filter(({ name: route }) => route.includes('{id}'))) {
        for (const place of foreign()) {
          for (const query of ['?tenant=acme&product=crm', `?directoryId=${world().own.directory.id}`]) {
            const answer = await world().use(name, route, place, query)
            assert.equal(answer.status, 404, `${route.name} ${answer.text}`)
            const nobody = await world().use(name, route, unknownPlace(place), query)
            assert.deepEqual(seen(answer), seen(nobody), route.name)
          }
        }
      }
    })

    test(`the key "${name}" may not do what concerns all directories`, () =>
      world().untouched(async () => {
        for (const route of usesBy('service')) {
          assert.equal((await world().use(name, route, world().own)).status, 403, route.name)
        }
      }))

    test(`the key "${name}" creates nothing for others`, () =>
      world().untouched(async () => {
        const { marks: before } = await inventory()
        for (const { tenant: t, product: p } of foreign()) {
          const answer = await world().send(name, 'POST', '', { tenant: t, product: p })
          assert.equal(answer.status, 403, answer.text)
        }
        assert.deepEqual((await inventory()).marks, before)
      }))
  }

  /** The ids of all directories of the four places. */
  async function inventory() {
    const { service, own, others } = world()
    const lists = await Promise.all(
      [own, ...others].map(({ tenant: t, product: p }) => service.api('GET', `?tenant=${t}&product=${p}`)),
    )
    return { marks: lists.flatMap(({ body }) => body.data.map(({ id }) => id)) }
  }

  for (const { query, name } of [
    { name: 'both', query: '' },
    { name: 'tenant', query: '?product=crm' },
    { name: 'product', query: '?tenant=acme' },
  ] as const) {
    test(`what a query leaves out is that of the key "${name}"`, async () => {
      const { use, own, others, assertSilent } = world()
      for (const route of usesBy('query').filter(({ method }) => method === 'GET')) {
        const answer = await use(name, route, own, query)
        assert.equal(answer.status, 200, `${route.name} ${answer.text}`)
        assertSilent(answer, others, route.name)
        const known = own.marks.some((mark) => answer.text.includes(mark))
        assert(known, `${route.name} shows what is the key's: ${answer.text}`)
      }
    })
  }

  test('a key of a tenant sees all products of it, and lists none of others', async () => {
    const { send, own, others, assertSilent } = world()
    const [, erp] = others
    assert(erp !== undefined)
    for (const place of [own, erp]) {
      const answer = await send('tenant', 'GET', `?product=${place.product}`)
      assert.deepEqual(
        answer.body.data.map(({ id }) => id).filter((id) => place.marks.includes(id)),
        [place.directory.id, place.pulled.id],
      )
      assertSilent(
        answer,
        [own, ...others].filter((other) => other !== place),
        'the listing',
      )
    }
  })

  test('a scope is never left by a twisted query', () =>
    world().untouched(async () => {
      const { use, own, others, assertSilent } = world()
      const [theirs] = others.slice(-1)
      assert(theirs !== undefined)
      const queries = [
        ...twisted('tenant', own.tenant, theirs.tenant),
        ...twisted('product', own.product, theirs.product),
        ...twisted('directoryId', own.directory.id, theirs.directory.id),
      ]
      for (const route of usesBy('query').filter(({ method }) => method === 'GET')) {
        const answers = await Promise.all(queries.map((query) => use('both', route, own, `?${query}`)))
        for (const answer of answers) {
          assert([200, 400, 403, 404, 414].includes(answer.status), `${route.name} ${answer.text}`)
          assertSilent(answer, others, route.name)
        }
      }
    }))

  test('a twisted query empties no delivery log of others', () =>
    world().untouched(async () => {
      const { send, own, others } = world()
      for (const { directory } of others) {
        const queries = [...twisted('directoryId', own.directory.id, directory.id), `directoryId=${directory.id}`]
        await Promise.all(queries.map((query) => send('both', 'DELETE', `/events?${query}`)))
      }
    }))

  test('a scope is never left by a twisted body', () =>
    world().untouched(async () => {
      const { send } = world()
      const before = (await inventory()).marks
      for (const value of [
        'globex',
        'ACME',
        'acme ',
        ' acme',
        'acme\0',
        '',
        null,
        0,
        ['acme'],
        { acme: 'acme' },
        true,
      ]) {
        for (const body of [
          { tenant: value },
          { tenant: value, product },
          { product: value },
          { tenant, product: value },
        ]) {
          const answer = await send('both', 'POST', '', body)
          assert.equal(answer.status, 403, `${JSON.stringify(body)} ${answer.text}`)
        }
      }
      for (const text of [
        '[{"tenant":"globex","product":"erp"}]',
        '{"__proto__":{"tenant":"globex","product":"erp"}}',
        '{"constructor":{"prototype":{"tenant":"globex"}},"product":"erp"}',
        '"globex"',
        'null',
        '',
      ]) {
        const { status } = await send('both', 'POST', '', text, { 'content-type': 'application/json' })
        assert([400, 403].includes(status), `${text} ${status}`)
      }
      assert.deepEqual((await inventory()).marks, before)
    }))

  test('of a name that a body has twice the last counts, and it is the one that is checked', async () => {
    const { send } = world()
    const headers = { 'content-type': 'application/json' }
    const wrong = await send('both', 'POST', '', '{"tenant":"acme","tenant":"globex"}', headers)
    assert.equal(wrong.status, 403)
    const right = await send('both', 'POST', '', '{"tenant":"globex","tenant":"acme"}', headers)
    assert.deepEqual([right.status, right.body.data.tenant, right.body.data.product], [201, 'acme', 'crm'])
  })

  test('a change of the own directory cannot give it to others', async () => {
    const { send, own } = world()
    const body = { name: 'Moved', tenant: 'globex', product: 'erp', id: unknown, directory_id: unknown }
    const { body: changed } = await send('both', 'PATCH', `/${own.directory.id}`, body)
    assert.deepEqual([changed.data.id, changed.data.tenant, changed.data.product], [own.directory.id, tenant, product])
  })

  test('an id is one in whatever way it is written', () =>
    world().untouched(async () => {
      const { send, own, others, assertSilent } = world()
      for (const { directory, marks } of others) {
        const coded = [...directory.id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
        const ids = [
          ...[coded, directory.id.toUpperCase(), `${directory.id}%20`, `${directory.id}%00`, `${directory.id}/`],
          ...[
            `${own.directory.id}%2F..%2F${directory.id}`,
            `${own.directory.id}/../${directory.id}`,
            `.//${directory.id}`,
          ],
          ...[
            `${own.directory.id}?id=${directory.id}`,
            `${directory.id};${own.directory.id}`,
            `%2e%2e%2f${directory.id}`,
          ],
        ]
        for (const id of ids) {
          for (const path of [`/${id}`, `/${id}/delivery`]) {
            const answer = await send('both', 'GET', path)
            assert([200, 400, 404].includes(answer.status), `${path} ${answer.text}`)
            assert(!marks.some((mark) => answer.text.includes(mark)), path)
          }
          assert.notEqual((await send('both', 'POST', `/${id}/pause`)).status, 200)
        }
        assertSilent(await send('both', 'HEAD', `/${directory.id}`), others, 'HEAD')
        assert.equal((await send('both', 'HEAD', `/${directory.id}`)).status, 404)
      }
    }))

  test('the token of a page of others leads nowhere but in the own scope', async () => {
    const { service, send, own, others, assertSilent } = world()
    for (const theirs of others) {
      const memberPath = ({ groupId }: Place) => `/groups/${groupId}/members`
      for (const path of ['/users', '/groups', '/events', memberPath]) {
        const pathOf = (place: Place) => (typeof path === 'string' ? path : path(place))
        const { body } = await service.api('GET', `${pathOf(theirs)}?directoryId=${theirs.directory.id}&pageLimit=1`)
        assert(body.pageToken !== undefined, `${pathOf(theirs)} has a second page`)
        const query = `?pageToken=${body.pageToken}&pageLimit=100`
        for (const scope of ['', `&directoryId=${own.directory.id}`, `&directoryId=${theirs.directory.id}`]) {
          const answer = await send('both', 'GET', pathOf(own) + query + scope)
          assert([200, 400, 404].includes(answer.status), answer.text)
          assertSilent(answer, others, `${pathOf(own)} ${scope}`)
        }
      }
      const { body } = await service.api('GET', `?tenant=${theirs.tenant}&product=${theirs.product}&pageLimit=1`)
      assertSilent(await send('both', 'GET', `?pageToken=${body.pageToken}`), others, 'the directories')
    }
  })

  test('the token of a page of sync runs leads nowhere but in the own directory', async () => {
    const { service, send, own, others, assertSilent, touched } = world()
    touched()
    for (const { pulled } of others) {
      const { status } = await service.api('POST', `/${pulled.id}/sync?wait=true`)
      assert.equal(status, 200)
      const { body } = await service.api('GET', `/${pulled.id}/sync-runs?pageLimit=1`)
      assert(body.pageToken !== undefined)
      const answer = await send('both', 'GET', `/${own.pulled.id}/sync-runs?pageToken=${body.pageToken}`)
      assert([200, 400].includes(answer.status), answer.text)
      assertSilent(answer, others, 'the sync runs')
    }
  })

  test('the cursor of a feed of others is good for nothing', async () => {
    const { service, send, own, others } = world()
    for (const { directory, tenant: t, product: p, cursor } of others) {
      const ofBoth = (await service.api('GET', `/feed?tenant=${t}&product=${p}&limit=1`)).body as unknown
      for (const after of [cursor, (ofBoth as { next: string }).next]) {
        const scopes = ['', `&directoryId=${own.directory.id}`, '&tenant=acme&product=crm']
        for (const scope of scopes) {
          assert.equal((await send('both', 'GET', `/feed?after=${after}${scope}`)).status, 400)
        }
        assert.equal((await send('both', 'GET', `/feed?after=${after}&directoryId=${directory.id}`)).status, 400)
      }
    }
  })

  test('a stream of others cannot be opened', async () => {
    const { keys, service, own, others } = world()
    const authorization = `Api-Key ${keys.both}`
    for (const { directory, tenant: t, product: p, cursor } of others) {
      for (const [query, status, header] of [
        [`tenant=${t}&product=${p}`, 403, undefined],
        [`directoryId=${directory.id}`, 404, undefined],
        [`directoryId=${own.directory.id}`, 400, cursor],
        ['', 400, cursor],
      ] as const) {
        const headers = { authorization, ...(header === undefined ? {} : { 'last-event-id': header }) }
        await using stream = await openEventStream(`${service.origin}${apiPrefix}/feed?${query}`, headers)
        assert.equal(stream.response.statusCode, status, query)
      }
    }
  })

  test('a stream tells of the own directories only, while things happen in all', async () => {
    const { keys, service, send, own, others, touched } = world()
    touched()
    const authorization = `Api-Key ${keys.both}`
    const behind = (await send('both', 'GET', '/feed?limit=1000')).body as unknown as { readonly next: string }
    const address = `${service.origin}${apiPrefix}/feed?after=${behind.next}`
    await using stream = await openEventStream(address, { authorization })
    for (const { directory } of [...others, own]) {
      const { body } = await service.api('GET', `/${directory.id}`)
      const { status } = await service.scim(body.data, 'POST', '/Users', { userName: `live-${directory.id}` })
      assert.equal(status, 201)
    }
    const [told] = await stream.first(1)
    assert.equal(told?.data.directory_id, own.directory.id)
    for (const { directory } of others) {
      const path = `/events?directoryId=${directory.id}`
      await eventually('the deliveries', async () => (await service.api('GET', path)).body.data.length === 7)
    }
  })

  for (const name of ['reader', 'tenantReader', 'bothReader'] as const) {
    test(`the key "${name}" changes nothing, on any route`, () =>
      world().untouched(async () => {
        const { service, use, send, open } = world()
        const own = await open([tenant, product])
        const before = await stateOf(service, [own])
        for (const route of namedUses.filter(({ method }) => method !== 'GET')) {
          const answer = await use(
            name,
            route,
            own,
            route.confinedBy === 'query' ? `?directoryId=${own.directory.id}` : '',
          )
          assert.equal(answer.status, 403, `${route.name} ${answer.text}`)
        }
        const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
        await send(name, 'GET', `/${own.directory.id}?_method=DELETE`, undefined, headers)
        assert.deepEqual(await stateOf(service, [own]), before)
      }))

    test(`the key "${name}" reads, on any route, and is shown no secret that would let it write`, async () => {
      const { service, use, own } = world()
      await service.api('POST', `/${own.directory.id}/resync`)
      for (const route of namedUses.filter(({ method }) => method === 'GET')) {
        const query = route.confinedBy === 'query' ? '?tenant=acme&product=crm' : ''
        const { status, text } = await use(name, route, own, query)
        assert.equal(status, 200, route.name)
        assert.deepEqual(
          own.secrets.filter((secret) => text.includes(secret)),
          [],
          route.name,
        )
      }
    })
  }

  for (const name of ['expired', 'deleted'] as const) {
    test(`a key that is ${name} opens nothing, as one that never was`, () =>
      world().untouched(async () => {
        const { service, use, own } = world()
        for (const route of namedUses) {
          const answer = await use(name, route, own)
          assert.equal(answer.status, 401, route.name)
          const authorization = `Api-Key rck_${'a'.repeat(43)}`
          const { method, path, body } = route
          const stranger = await service.request(method, apiPrefix + path(own), { body, headers: { authorization } })
          assert.deepEqual(seen(answer), seen(stranger), route.name)
        }
      }))
  }

  for (const name of ['tenant', 'product', 'both'] as const) {
    test(`the key "${name}" is taken on every route for what is its own`, async () => {
      const { service, use, open } = world()
      const own = await open([tenant, product])
      for (const route of namedUses) {
        const directory = route.isLast === true ? await service.createDirectory() : own.directory
        const scope = route.confinedBy === 'query' ? `?tenant=acme&product=crm&directoryId=${directory.id}` : ''
        const { status, text } = await use(name, route, { ...own, directory }, scope)
        const isRunning = status === 409 && route.name === 'POST /{id}/sync'
        assert(status === route.status || isRunning, `${route.name} ${status} ${text}`)
      }
    })
  }
})
