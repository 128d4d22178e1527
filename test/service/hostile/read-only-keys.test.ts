import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, forSuite } from '../../support/service.ts'
import { stateOf } from './support/place.ts'
import { namedUses } from './support/routes.ts'
import { openScopedWorld, product, tenant } from './support/scoped-world.ts'

forEachEngine((engine) => {
  const world = forSuite(async () => {
    const opened = await openScopedWorld(engine)
    const resynced = await opened.open([tenant, product])
    await opened.service.api('POST', `/${resynced.directory.id}/resync`)
    return { ...opened, resynced }
  })

  for (const name of ['reader', 'tenantReader', 'bothReader'] as const) {
    test(`the key "${name}" cannot change anything on any route`, () =>
      world().untouched(async () => {
        const { service, use, send, own } = world()
        const before = await stateOf(service, [own])
        for (const route of namedUses.filter(({ method }) => method !== 'GET')) {
          const response = await use(
            name,
            route,
            own,
            route.confinedBy === 'query' ? `?directoryId=${own.directory.id}` : '',
          )
          assert.equal(response.status, 403, `${route.name} ${response.text}`)
        }
        const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
        await send(name, 'GET', `/${own.directory.id}?_method=DELETE`, undefined, headers)
        assert.deepEqual(await stateOf(service, [own]), before)
      }))

    test(`the key "${name}" can read on every route and gets no secret that would allow writing`, async () => {
      const { use, resynced: own } = world()
      for (const route of namedUses.filter(({ method }) => method === 'GET')) {
        const query = route.confinedBy === 'query' ? '?tenant=acme&product=crm' : ''
        const { status, text } = await use(name, route, own, query)
        const isFound = name === 'reader' || route.statusOfProduct === undefined
        assert.equal(status, isFound ? 200 : route.status, route.name)
        assert.deepEqual(
          own.secrets.filter((secret) => text.includes(secret)),
          [],
          route.name,
        )
      }
    })
  }
})
