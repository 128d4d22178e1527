import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiPrefix } from '../../support/client.ts'
import { pairs } from '../../support/extent.ts'
import { forEachEngine, forSuite } from '../../support/service.ts'
import type { NamedUse } from './support/routes.ts'
import { describedRoutes, namedUses, routeUses, usesBy } from './support/routes.ts'
import {
  comparable,
  openScopedWorld,
  product,
  scopedKeys,
  tenant,
  unknown,
  unknownPlace,
} from './support/scoped-world.ts'

/** Calls that find nothing outside the scope, which is not an error. */
const listsDirectories: ReadonlySet<string> = new Set([
  'GET /product',
  'GET /directories',
  'GET /search',
  'GET /health',
  'GET /overview',
  'GET /tenant',
  'GET /setuplinks/product',
  'GET /setuplinks/all',
])

forEachEngine((engine) => {
  const world = forSuite(() => openScopedWorld(engine))

  test('the table has every documented route and no others', async () => {
    assert.deepEqual([...(await describedRoutes(world().service))].sort(), Object.keys(routeUses).sort())
  })

  for (const { name, isTheirs } of scopedKeys) {
    const isAllowed = ({ method }: NamedUse) => name !== 'bothReader' || method === 'GET'
    const foreign = () => world().others.filter((place) => !isTheirs(place))

    test(`the key "${name}" does not find the directories of other tenants on any route`, () =>
      world().untouched(async () => {
        for (const [route, place] of pairs([...usesBy('directory'), ...usesBy('found')], foreign())) {
          const response = await world().use(name, route, place)
          assert.equal(response.status, isAllowed(route) ? 404 : 403, `${route.name} ${response.text}`)
          assert.deepEqual(
            comparable(response),
            comparable(await world().use(name, route, unknownPlace(place))),
            route.name,
          )
        }
      }))

    test(`the key "${name}" does not find them under the second prefix either`, () =>
      world().untouched(async () => {
        for (const [{ name: route, method, path, body }, place] of pairs(usesBy('directory'), foreign())) {
          const { status } = await world().send(name, method, `/api/v1/dsync${path(place)}`, body)
          assert(status === 404 || (status === 403 && method !== 'GET'), `${route} ${status}`)
        }
      }))

    test(`the key "${name}" does not find them by directoryId on any route`, () =>
      world().untouched(async () => {
        const routes = usesBy('query').filter(({ path }) => path(world().own) !== '')
        for (const [route, place] of pairs(routes, foreign())) {
          const response = await world().use(name, route, place, `?directoryId=${place.directory.id}`)
          world().assertSilent(response, foreign(), route.name)
          if (listsDirectories.has(route.name)) continue
          assert.equal(response.status, isAllowed(route) ? 404 : 403, `${route.name} ${response.text}`)
          const nobody = await world().use(name, route, unknownPlace(place), `?directoryId=${unknown}`)
          assert.deepEqual(comparable(response), comparable(nobody), route.name)
        }
      }))

    test(`the key "${name}" is rejected with the tenant or product of others on any route`, () =>
      world().untouched(async () => {
        for (const [route, place] of pairs(usesBy('query'), foreign())) {
          const response = await world().use(
            name,
            route,
            place,
            `?tenant=${place.tenant}&product=${place.product}&directoryId=${place.directory.id}`,
          )
          assert.equal(response.status, 403, `${route.name} ${response.text}`)
          world().assertSilent(response, foreign(), route.name)
        }
      }))

    test(`the key "${name}" does not find resources of other tenants within its own scope`, async () => {
      const routes = usesBy('query').filter(({ name: route }) => route.includes('{id}'))
      for (const [route, place] of pairs(routes, foreign())) {
        for (const query of ['?tenant=acme&product=crm', `?directoryId=${world().own.directory.id}`]) {
          const response = await world().use(name, route, place, query)
          assert.equal(response.status, 404, `${route.name} ${response.text}`)
          const nobody = await world().use(name, route, unknownPlace(place), query)
          assert.deepEqual(comparable(response), comparable(nobody), route.name)
        }
      }
    })

    test(`the key "${name}" is rejected by routes that concern all directories`, () =>
      world().untouched(async () => {
        for (const route of usesBy('service')) {
          assert.equal((await world().use(name, route, world().own)).status, 403, route.name)
        }
      }))

    test(`the key "${name}" cannot create a directory for other tenants`, () =>
      world().untouched(async () => {
        const before = await world().inventory()
        for (const { tenant: t, product: p } of foreign()) {
          const response = await world().send(name, 'POST', '', { tenant: t, product: p })
          assert.equal(response.status, 403, response.text)
        }
        assert.deepEqual(await world().inventory(), before)
      }))
  }

  for (const { query, name } of [
    { name: 'both', query: '' },
    { name: 'tenant', query: '?product=crm' },
    { name: 'product', query: '?tenant=acme' },
  ] as const) {
    test(`the scope of the key "${name}" is the default of a query`, async () => {
      const { use, own, others, assertSilent } = world()
      for (const route of usesBy('query').filter(({ method }) => method === 'GET')) {
        const response = await use(name, route, own, query)
        assert.equal(response.status, 200, `${route.name} ${response.text}`)
        assertSilent(response, others, route.name)
        // An overview of healthy directories only counts them, and nobody was erased.
        const shown = { 'GET /overview': '"total":2,', 'GET /privacy/erasures': '"data":[]' }[route.name]
        const marks = shown === undefined ? own.marks : [shown]
        const known = marks.some((mark) => response.text.includes(mark))
        assert(known, `${route.name} shows what is the key's: ${response.text}`)
      }
    })
  }

  test('a key of a tenant can read all its products and no other tenant', async () => {
    const { send, own, others, assertSilent } = world()
    const [, erp] = others
    assert(erp !== undefined)
    for (const place of [own, erp]) {
      const response = await send('tenant', 'GET', `?product=${place.product}`)
      assert.deepEqual(
        response.body.data.map(({ id }) => id).filter((id) => place.marks.includes(id)),
        [place.directory.id, place.pulled.id],
      )
      assertSilent(
        response,
        [own, ...others].filter((other) => other !== place),
        'the listing',
      )
    }
  })

  for (const name of ['expired', 'deleted'] as const) {
    test(`a key that is ${name} is rejected like one that never existed`, () =>
      world().untouched(async () => {
        const { service, use, own } = world()
        for (const route of namedUses) {
          const response = await use(name, route, own)
          assert.equal(response.status, 401, route.name)
          const authorization = `Api-Key rck_${'a'.repeat(43)}`
          const { method, path, body } = route
          const stranger = await service.request(method, apiPrefix + path(own), { body, headers: { authorization } })
          assert.deepEqual(comparable(response), comparable(stranger), route.name)
        }
      }))
  }

  for (const name of ['tenant', 'product', 'both'] as const) {
    test(`the key "${name}" is accepted on every route for its own directories`, async () => {
      const { service, use, open } = world()
      const own = await open([tenant, product])
      for (const route of namedUses) {
        const directory = route.isLast === true ? await service.createDirectory() : own.directory
        const named = /^GET .(overview|tenant)$/.test(route.name) ? '' : `&directoryId=${directory.id}`
        const scope = route.confinedBy === 'query' ? `?tenant=acme&product=crm${named}` : ''
        const { status, text } = await use(name, route, { ...own, directory }, scope)
        const isRunning = status === 409 && route.name === 'POST /{id}/sync'
        const expected = name === 'product' ? (route.statusOfProduct ?? route.status) : route.status
        assert(status === expected || isRunning, `${route.name} ${status} ${text}`)
      }
    })
  }
})
