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

/** What each key may do. */
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

/** The keys with a scope, and which of the four places are theirs. */
export const scopedKeys = [
  { name: 'tenant', isTheirs: (place: Place) => place.tenant === tenant },
  { name: 'product', isTheirs: (place: Place) => place.product === product },
  { name: 'both', isTheirs: (place: Place) => place.tenant === tenant && place.product === product },
  { name: 'bothReader', isTheirs: (place: Place) => place.tenant === tenant && place.product === product },
] as const

/** An id that nothing has. */
export const unknown = '01890000-0000-7000-8000-000000000000'
/** The same place, in which nothing has the ids that there are. */
export const unknownPlace = (place: Place): Place => ({
  ...place,
  directory: { ...place.directory, id: unknown },
  pulled: { ...place.pulled, id: unknown },
  ...{ userId: unknown, groupId: unknown, runId: unknown, deliveryId: unknown },
})

/** A service with keys of every scope, and four places: one that most keys are for, and those of others. */
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
      send(key, method, path(place) + query, body),
    /** What others have must be the same before and after. */
    async untouched(attempts: () => Promise<void>): Promise<void> {
      const before = known ?? (await stateOf(service, others))
      await attempts()
      known = await stateOf(service, others)
      assert.deepEqual(known, before)
    },
    /** No answer may hold anything of a place that is not the key's. */
    assertSilent({ text }: Answer, foreign: readonly Place[], what: string): void {
      const heard = foreign.flatMap(({ marks }) => marks).filter((mark) => text.includes(mark))
      assert.deepEqual(heard, [], what)
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

/** All that a caller sees of an answer but for what no two answers share. */
export function seen({ status, headers, body }: Answer): unknown {
  const { 'x-request-id': _, date, ...rest } = headers
  return { status, headers: rest, body: withoutRequestId(body) }
}
