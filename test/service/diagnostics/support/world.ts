import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import { failed, statusWhen } from '../../../support/delivery.ts'
import type { Receiver } from '../../../support/receiver.ts'
import type { TestService } from '../../../support/service.ts'

const patchSchemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']

/** More than the wrong secrets in a row that explain why nothing arrives. */
const manyFailures = 6

/** The directories of the world: name, tenant, product and what else is particular. */
const directories = {
  Acme: { tenant: 'acme' },
  'Acme Mail': { tenant: 'acme', product: 'mail' },
  Borealis: { tenant: 'borealis', type: 'azure-scim-v2' },
  Cobalt: { tenant: 'cobalt' },
  Dunes: { tenant: 'dunes' },
  Ember: { tenant: 'ember', removal_limit: { percent: 1, minimum: 1 } },
  Fjord: { tenant: 'fjord' },
  Grove: { tenant: 'grove' },
  Harbor: { tenant: 'harbor' },
  Iris: { tenant: 'iris', webhook_url: '' },
  Juniper: { tenant: 'juniper', type: 'extdir' },
  Kelp: { tenant: 'kelp' },
  Lotus: { tenant: 'lotus' },
  Moss: { tenant: 'moss' },
  'Nova One': { tenant: 'nova' },
  'Nova Two': { tenant: 'nova' },
  Quiet: { tenant: 'quiet' },
} as const

export type PlaceName = keyof typeof directories

/** Ids of users and groups, by the directory and the name that they were created with. */
export type Ids = ReadonlyMap<string, string>

export interface World {
  readonly directories: Readonly<Record<PlaceName, DirectoryView>>
  readonly ids: Ids
  /** The time when a resync of the directory Moss began. */
  readonly resyncedAt: string
}

/** Creates the directories, and the situations in them, of which the service has to say what is true. */
export async function createWorld(service: TestService, consumer: Receiver): Promise<World> {
  const made = await createDirectories(service, consumer)
  const ids = new Map<string, string>()
  const at = (name: PlaceName) => openPlace(service, name, made[name], ids)
  const wasDelivered = new Set<string>()
  consumer.answer(({ directory_id: id, event, data }) => {
    if (id === made.Grove.id) return 503
    const isDead = id === made.Harbor.id && event === 'user.created' && wasDelivered.has(data.id)
    if (id === made.Harbor.id) wasDelivered.add(data.id)
    return isDead ? 422 : 204
  })
  const [resyncedAt] = await Promise.all([
    fillMoss(at('Moss'), consumer),
    // What is in Acme happens after what is in Borealis.
    fillBorealis(at('Borealis')).then(() => fillAcme(at('Acme'))),
    fillMail(at('Acme Mail')),
    at('Cobalt').sendWrongSecrets(),
    fillDunes(at('Dunes')),
    fillEmber(at('Ember')),
    fillFjord(at('Fjord')),
    at('Grove')
      .create('gail@grove.example')
      .then(() => failed(service, made.Grove.id)),
    fillHarbor(at('Harbor')),
    at('Iris')
      .create('ivo@iris.example')
      .then(() => at('Iris').create(common)),
    fillKelp(at('Kelp')),
    fillLotus(at('Lotus')),
    fillNova(at('Nova One'), at('Nova Two')),
  ])
  return { directories: made, ids, resyncedAt }
}

type Place = ReturnType<typeof openPlace>

/** What an identity provider and an operator do to one directory. */
function openPlace(service: TestService, name: PlaceName, directory: DirectoryView, ids: Map<string, string>) {
  const send = (method: string, path: string, body?: unknown) => service.scim(directory, method, path, body)
  async function create(userName: string, more: object = {}): Promise<string> {
    const emails = [{ value: userName, primary: true }]
    return created(userName, await send('POST', '/Users', { userName, emails, ...more }))
  }
  function created(of: string, { status, text, body }: Awaited<ReturnType<typeof send>>): string {
    assert.equal(status, 201, text)
    ids.set(`${name} ${of}`, body.id)
    return body.id
  }
  return {
    ...{ directory, send, create },
    async createGroup(displayName: string, members: readonly string[] = []): Promise<string> {
      const body = { displayName, members: members.map((value) => ({ value })) }
      return created(displayName, await send('POST', '/Groups', body))
    },
    async createAndDelete(userName: string): Promise<void> {
      await send('DELETE', `/Users/${await create(userName)}`)
    },
    patch: (path: string, value: object) =>
      send('PATCH', path, { schemas: patchSchemas, Operations: [{ op: 'replace', value }] }),
    lookUp: (userName: string) => send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`),
    async refuse(userName: string): Promise<void> {
      assert.equal((await send('POST', '/Users', { userName, active: 'perhaps' })).status, 400)
    },
    async sendWrongSecrets(): Promise<void> {
      const mistaken = { scim: { ...directory.scim, secret: 'another secret' } }
      for (let n = 0; n < manyFailures; n += 1)
        assert.equal((await service.scim(mistaken, 'GET', '/Users')).status, 401)
    },
    status: (isIt: Parameters<typeof statusWhen>[2]) => statusWhen(service, directory.id, isIt),
    isDelivered: () => statusWhen(service, directory.id, ({ undelivered }) => undelivered === 0),
    async call(method: string, path: string, body?: unknown): Promise<void> {
      const { status, text } = await service.api(method, `/${directory.id}${path}`, body)
      assert.ok(status < 300, text)
    },
  }
}

/** A user whom many directories have. */
const common = 'common@shared.example'

async function fillBorealis({ create, createGroup, isDelivered }: Place): Promise<void> {
  for (const name of [
    'maya@shared.example',
    'rita@shared.example',
    'dean@shared.example',
    'lucy@shared.example',
    common,
  ])
    await create(name)
  await createGroup('Board')
  await isDelivered()
}

async function fillAcme({ create, createAndDelete, createGroup, send, patch, refuse, lookUp, isDelivered }: Place) {
  for (const name of ['maya@shared.example', common, 'JOSÉ@acme.example', '100%@acme.example']) await create(name)
  for (const name of ['rita@shared.example', 'only-refused@acme.example']) await refuse(name)
  for (const name of ['dean@shared.example', 'rex@acme.example', 'gone@acme.example']) await createAndDelete(name)
  for (const name of ['lucy@shared.example', 'lou@acme.example']) await lookUp(name)
  await create('rex@acme.example')
  await createGroup('Sales', [await create('sales')])
  await send('DELETE', `/Groups/${await createGroup('Board')}`)
  await create('anna@acme.example', {
    externalId: 'E-77',
    name: { givenName: 'Anna', familyName: 'Berg' },
    emails: [{ value: 'anna@acme.example', primary: true }, { value: 'a.berg@acme.example' }],
  })
  for (const name of ['team-1@acme.example', 'team-2@acme.example'])
    await create(name, { emails: [{ value: name, primary: true }, { value: 'team@acme.example' }] })
  await patch(`/Users/${await create('olda@acme.example')}`, { userName: 'newa@acme.example' })
  await patch(`/Users/${await create('ina@acme.example')}`, { active: false })
  await create('dup@acme.example')
  assert.equal((await send('POST', '/Users', { userName: 'DUP@acme.example' })).status, 409)
  await isDelivered()
}

async function fillMail({ create, isDelivered }: Place): Promise<void> {
  for (const name of ['mel@acme.example', common]) await create(name)
  await isDelivered()
}

async function fillDunes({ create, lookUp, isDelivered, sendWrongSecrets }: Place): Promise<void> {
  await lookUp('lee@dunes.example')
  for (const name of ['dora@dunes.example', common]) await create(name)
  await isDelivered()
  await sendWrongSecrets()
}

async function fillEmber({ create, send, isDelivered }: Place): Promise<void> {
  const [first, second] = [await create('ed@ember.example'), await create('eli@ember.example')]
  await create(common)
  await isDelivered()
  for (const id of [second, first]) await send('DELETE', `/Users/${id}`)
  await create('eve@ember.example')
}

async function fillFjord({ create, call }: Place): Promise<void> {
  await call('POST', '/pause')
  for (const name of ['finn@fjord.example', common]) await create(name)
}

async function fillHarbor({ create, call, isDelivered, status }: Place): Promise<void> {
  await create('hana@harbor.example')
  await isDelivered()
  await call('POST', '/replay', { sequence: 1 })
  await status(({ dead_events: dead }) => dead === 1)
}

async function fillKelp({ create, call }: Place): Promise<void> {
  await create('kim@kelp.example')
  await call('PATCH', '', { deactivated: true })
}

async function fillLotus({ create, call }: Place): Promise<void> {
  await create('lena@lotus.example')
  await call('DELETE', '')
}

/** @returns the time when the resync began */
async function fillMoss({ directory, create, createGroup, patch, call, isDelivered }: Place, consumer: Receiver) {
  await create('max@moss.example')
  await patch(`/Users/${await create('mia@moss.example')}`, { active: false })
  await createGroup('Gardeners')
  await isDelivered()
  const resyncedAt = new Date().toISOString()
  await call('POST', '/resync')
  const isResynced = () => consumer.events(directory.id).some(({ event }) => event === 'sync.completed')
  await consumer.until(isResynced, 'the resync is delivered')
  await isDelivered()
  return resyncedAt
}

async function fillNova(one: Place, two: Place): Promise<void> {
  await two.create('nils@nova.example')
  await one.refuse('nils@nova.example')
  for (const { create } of [one, two]) await create(common)
}

async function createDirectories({ createDirectory }: TestService, { endpoint }: Receiver) {
  const made = await Promise.all(
    Object.entries(directories).map(async ([name, fields]) => {
      const { webhook_url: url, ...more } = { webhook_url: undefined, ...fields }
      const sent = url === '' || name === 'Juniper' ? {} : endpoint
      return [name, await createDirectory({ name, type: 'okta-scim-v2', ...sent, ...more })] as const
    }),
  )
  return Object.fromEntries(made) as Record<PlaceName, DirectoryView>
}
