import assert from 'node:assert/strict'
import { settingsOf, startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import type { Answer } from '../../../support/client.ts'
import { apiPrefix } from '../../../support/client.ts'
import { startReceiver } from '../../../support/receiver.ts'
import type { Engine } from '../../../support/service.ts'
import { openTestDatabase, startTestService } from '../../../support/service.ts'
import { makeKeys } from './keys.ts'
import type { Place } from './place.ts'
import { openPlace, stateOf, withoutRequestId } from './place.ts'
import type { NamedUse } from './routes.ts'

export const [tenant, product] = ['acme', 'crm'] as const
const readOnly = true

/** The scope of each key. */
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
export type KeyName = keyof typeof wantedKeys

/** The keys with a scope, and which of the four places are in it. */
export const scopedKeys = [
  { name: 'tenant', isTheirs: (place: Place) => place.tenant === tenant },
  { name: 'product', isTheirs: (place: Place) => place.product === product },
  { name: 'both', isTheirs: (place: Place) => place.tenant === tenant && place.product === product },
  { name: 'bothReader', isTheirs: (place: Place) => place.tenant === tenant && place.product === product },
] as const

/** An unused id. */
export const unknown = '01890000-0000-7000-8000-000000000000'
/** The same place with unused ids. */
export const unknownPlace = (place: Place): Place => ({
  ...place,
  directory: { ...place.directory, id: unknown },
  pulled: { ...place.pulled, id: unknown },
  ...{ userId: unknown, groupId: unknown, runId: unknown, deliveryId: unknown, setupId: unknown },
})

/**
 * A service with keys of every scope and four places: one in the scope of most keys, and three of other tenants and
 * products.
 */
export async function openScopedWorld(engine: Engine) {
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
      send(key, method, withQuery(path(place), query), body),
    /** Asserts that the data of others does not change. */
    async untouched(attempts: () => Promise<void>): Promise<void> {
      const before = known ?? (await stateOf(service, others))
      await attempts()
      known = await stateOf(service, others)
      assert.deepEqual(known, before)
    },
    /** Asserts that no response contains data outside the key's scope. */
    assertSilent({ text }: Answer, foreign: readonly Place[], what: string): void {
      const revealed = foreign.flatMap(({ marks }) => marks).filter((mark) => text.includes(mark))
      assert.deepEqual(revealed, [], what)
    },
    /** The ids of all directories of the four places. */
    async inventory(): Promise<readonly string[]> {
      const scopes = [own, ...others].map((place) => `?tenant=${place.tenant}&product=${place.product}`)
      const lists = await Promise.all(scopes.map((scope) => service.api('GET', scope)))
      return lists.flatMap(({ body }) => body.data.map(({ id }) => id))
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await google[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A response without the parts that differ in every response. */
export function comparable({ status, headers, body }: Answer): unknown {
  const { 'x-request-id': _, date, ...rest } = headers
  return { status, headers: rest, body: withoutRequestId(body) }
}

/** A path may have parameters of its own. */
function withQuery(path: string, query: string): string {
  return path + (path.includes('?') ? query.replace('?', '&') : query)
}
