import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiPrefix } from '../../support/client.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { forEachEngine, forSuite } from '../../support/service.ts'
import type { Place } from './support/place.ts'
import { openScopedWorld } from './support/scoped-world.ts'

forEachEngine((engine) => {
  const world = forSuite(() => openScopedWorld(engine))

  test("a page token of another tenant gives no access outside the caller's scope", async () => {
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

  test('a page token of sync runs gives no access to other directories', async () => {
    const { service, send, own, others, assertSilent } = world()
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

  test('the feed cursor of another tenant is rejected', async () => {
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

  test('the stream of another tenant cannot be opened', async () => {
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

  test("a stream only has events of the caller's directories, while all of them change", async () => {
    const { keys, service, send, own, others } = world()
    const authorization = `Api-Key ${keys.both}`
    const behind = (await send('both', 'GET', '/feed?limit=1000')).body as unknown as { readonly next: string }
    const address = `${service.origin}${apiPrefix}/feed?after=${behind.next}`
    await using stream = await openEventStream(address, { authorization })
    for (const { directory } of [...others, own]) {
      const { body } = await service.api('GET', `/${directory.id}`)
      const { status } = await service.scim(body.data, 'POST', '/Users', { userName: `live-${directory.id}` })
      assert.equal(status, 201)
    }
    const [event] = await stream.first(1)
    assert.equal(event?.data.directory_id, own.directory.id)
    for (const { directory } of others) {
      const path = `/events?directoryId=${directory.id}`
      await eventually('the deliveries', async () => (await service.api('GET', path)).body.data.length === 8)
    }
  })
})
