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
  const send = (place: PlaceName, method: string, path: string, body?: unknown) =>
    service.scim(made[place], method, path, body)

  async function create(place: PlaceName, userName: string, more: object = {}): Promise<string> {
    const emails = [{ value: userName, primary: true }]
    return created(place, userName, await send(place, 'POST', '/Users', { userName, emails, ...more }))
  }
  async function createGroup(place: PlaceName, displayName: string, members: readonly string[] = []): Promise<string> {
    const body = { displayName, members: members.map((value) => ({ value })) }
    return created(place, displayName, await send(place, 'POST', '/Groups', body))
  }
  function created(place: PlaceName, name: string, { status, text, body }: Awaited<ReturnType<typeof send>>): string {
    assert.equal(status, 201, text)
    ids.set(`${place} ${name}`, body.id)
    return body.id
  }
  const patch = (place: PlaceName, path: string, value: object) =>
    send(place, 'PATCH', path, { schemas: patchSchemas, Operations: [{ op: 'replace', value }] })
  const lookUp = (place: PlaceName, userName: string) =>
    send(place, 'GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)
  const refuse = async (place: PlaceName, userName: string) =>
    assert.equal((await send(place, 'POST', '/Users', { userName, active: 'perhaps' })).status, 400)
  async function sendWrongSecrets(place: PlaceName): Promise<void> {
    const mistaken = { scim: { ...made[place].scim, secret: 'another secret' } }
    for (let n = 0; n < manyFailures; n += 1) assert.equal((await service.scim(mistaken, 'GET', '/Users')).status, 401)
  }
  const isDelivered = (place: PlaceName) => statusWhen(service, made[place].id, ({ undelivered }) => undelivered === 0)
  const call = async (place: PlaceName, path: string, body?: unknown) => {
    const { status, text } = await service.api('POST', `/${made[place].id}${path}`, body)
    assert.ok(status < 300, text)
  }

  async function fillBorealis(): Promise<void> {
    for (const name of ['maya@shared.example', 'rita@shared.example', 'dean@shared.example', 'lucy@shared.example'])
      await create('Borealis', name)
    await createGroup('Borealis', 'Board')
    await create('Borealis', 'common@shared.example')
  }
  async function fillAcme(): Promise<void> {
    await create('Acme', 'maya@shared.example')
    await create('Acme', 'common@shared.example')
    await refuse('Acme', 'rita@shared.example')
    await send('Acme', 'DELETE', `/Users/${await create('Acme', 'dean@shared.example')}`)
    await lookUp('Acme', 'lucy@shared.example')
    await lookUp('Acme', 'lou@acme.example')
    await createGroup('Acme', 'Sales', [await create('Acme', 'sales')])
    await create('Acme', 'JOSÉ@acme.example')
    await create('Acme', 'anna@acme.example', {
      externalId: 'E-77',
      name: { givenName: 'Anna', familyName: 'Berg' },
      emails: [{ value: 'anna@acme.example', primary: true }, { value: 'a.berg@acme.example' }],
    })
    for (const name of ['team-1@acme.example', 'team-2@acme.example'])
      await create('Acme', name, { emails: [{ value: name, primary: true }, { value: 'team@acme.example' }] })
    const renamed = await create('Acme', 'olda@acme.example')
    await patch('Acme', `/Users/${renamed}`, { userName: 'newa@acme.example' })
    await send('Acme', 'DELETE', `/Users/${await create('Acme', 'rex@acme.example')}`)
    await create('Acme', 'rex@acme.example')
    await send('Acme', 'DELETE', `/Users/${await create('Acme', 'gone@acme.example')}`)
    await send('Acme', 'DELETE', `/Groups/${await createGroup('Acme', 'Board')}`)
    await patch('Acme', `/Users/${await create('Acme', 'ina@acme.example')}`, { active: false })
    await create('Acme', 'dup@acme.example')
    assert.equal((await send('Acme', 'POST', '/Users', { userName: 'DUP@acme.example' })).status, 409)
    await refuse('Acme', 'only-refused@acme.example')
    await create('Acme', '100%@acme.example')
    await isDelivered('Acme')
  }
  async function fillMail(): Promise<void> {
    await create('Acme Mail', 'mel@acme.example')
    await create('Acme Mail', 'common@shared.example')
  }
  async function fillDunes(): Promise<void> {
    await create('Dunes', 'dora@dunes.example')
    await lookUp('Dunes', 'lee@dunes.example')
    await create('Dunes', 'common@shared.example')
    await isDelivered('Dunes')
    await sendWrongSecrets('Dunes')
  }
  async function fillEmber(): Promise<void> {
    const [first, second] = [await create('Ember', 'ed@ember.example'), await create('Ember', 'eli@ember.example')]
    await create('Ember', 'common@shared.example')
    await isDelivered('Ember')
    await send('Ember', 'DELETE', `/Users/${second}`)
    await send('Ember', 'DELETE', `/Users/${first}`)
    await create('Ember', 'eve@ember.example')
  }
  async function fillFjord(): Promise<void> {
    await call('Fjord', '/pause')
    await create('Fjord', 'finn@fjord.example')
    await create('Fjord', 'common@shared.example')
  }
  async function fillGrove(): Promise<void> {
    await create('Grove', 'gail@grove.example')
    await failed(service, made.Grove.id)
  }
  async function fillHarbor(): Promise<void> {
    await create('Harbor', 'hana@harbor.example')
    await isDelivered('Harbor')
    await call('Harbor', '/replay', { sequence: 1 })
    await statusWhen(service, made.Harbor.id, ({ dead_events: dead }) => dead === 1)
  }
  async function fillKelp(): Promise<void> {
    await create('Kelp', 'kim@kelp.example')
    await service.api('PATCH', `/${made.Kelp.id}`, { deactivated: true })
  }
  async function fillLotus(): Promise<void> {
    await create('Lotus', 'lena@lotus.example')
    assert.equal((await service.api('DELETE', `/${made.Lotus.id}`)).status, 200)
  }
  async function fillMoss(): Promise<string> {
    await create('Moss', 'max@moss.example')
    await patch('Moss', `/Users/${await create('Moss', 'mia@moss.example')}`, { active: false })
    await createGroup('Moss', 'Gardeners')
    await isDelivered('Moss')
    const resyncedAt = new Date().toISOString()
    await call('Moss', '/resync')
    await consumer.until(
      () => consumer.events(made.Moss.id).some(({ event }) => event === 'sync.completed'),
      'the resync is delivered',
    )
    await isDelivered('Moss')
    return resyncedAt
  }
  async function fillNova(): Promise<void> {
    await create('Nova Two', 'nils@nova.example')
    await refuse('Nova One', 'nils@nova.example')
    await create('Nova One', 'common@shared.example')
    await create('Nova Two', 'common@shared.example')
  }
  async function fillIris(): Promise<void> {
    await create('Iris', 'ivo@iris.example')
  }

  const wasDelivered = new Set<string>()
  consumer.answer(({ directory_id: id, event, data }) => {
    if (id === made.Grove.id) return 503
    const isDead = id === made.Harbor.id && event === 'user.created' && wasDelivered.has(data.id)
    if (id === made.Harbor.id) wasDelivered.add(data.id)
    return isDead ? 422 : 204
  })
  const rest = [fillMail(), fillDunes(), fillEmber(), fillFjord(), fillGrove(), fillHarbor(), fillIris(), fillKelp()]
  // What is in Acme happens after what is in Borealis.
  const inOrder = fillBorealis().then(fillAcme)
  const [resyncedAt] = await Promise.all([
    ...[fillMoss(), inOrder, fillLotus(), fillNova(), sendWrongSecrets('Cobalt'), ...rest],
  ])
  return { directories: made, ids, resyncedAt: resyncedAt ?? '' }
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
