import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { statusWhen } from '../../../support/delivery.ts'
import { eventually } from '../../../support/eventually.ts'
import { connectDirectory, syncWell } from '../../../support/extdir.ts'
import type { Receiver } from '../../../support/receiver.ts'
import type { TestService } from '../../../support/service.ts'

/** The data of a tenant for a product: one of each kind that a route can name. */
export interface Place {
  readonly tenant: string
  readonly product: string
  /** Provisioned over SCIM, with an endpoint and a delivery log. */
  readonly directory: DirectoryView
  /** A directory of type extdir, synced once. */
  readonly pulled: DirectoryView
  readonly userId: string
  readonly groupId: string
  readonly runId: string
  readonly deliveryId: string
  /** The token of a setup link for the directory. */
  readonly setupId: string
  /** A cursor of the feed, after its first event. */
  readonly cursor: string
  /** The secrets of its directories, and those they use for other services. */
  readonly secrets: readonly string[]
  /** Texts that nobody else may read. */
  readonly marks: readonly string[]
}

/** A secret in the query of the endpoint's URL. */
const queryToken = 'token-of-the-receiver-0123456789'

/** Creates the data; its events are delivered when this resolves. */
export async function openPlace(
  service: TestService,
  google: FakeGoogle,
  receiver: Receiver,
  [tenant, product]: readonly [string, string],
): Promise<Place> {
  const name = `Staff-of-${tenant}-for-${product}`
  const webhook_url = `${receiver.endpoint.webhook_url}?token=${queryToken}`
  const directory = await service.createDirectory({ tenant, product, name, ...receiver.endpoint, webhook_url })
  await service.api('PATCH', `/${directory.id}`, { log_webhook_events: true })
  const ids = await provision(service, directory, name)
  assert.equal((await service.scim(directory, 'POST', '/Users', {})).status, 400)
  const pulled = await connectDirectory(service, google, { tenant, product, name: `${name}-pulled` })
  const { id: runId } = await syncWell(service, pulled)
  await eventually('the deliveries', async () => (await logOf(service, directory)).length === 6)
  const feed = await service.api('GET', `/feed?directoryId=${directory.id}&limit=1`)
  const deliveryIds = (await logOf(service, directory)).map(({ id }) => id)
  await makeDead(service, receiver, directory)
  const setup = await service.api('POST', '/setuplinks', {
    ...{ tenant, product, name, directoryId: directory.id, regenerate: true },
  })
  const { setupID: setupId } = setup.body.data as unknown as { setupID: string }
  const cursor = (feed.body as unknown as { next: string }).next
  assert(deliveryIds[0] !== undefined && cursor !== '' && ids.userIds[0] !== undefined && ids.groupIds[0] !== undefined)
  return {
    ...{ tenant, product, directory, pulled, runId, cursor, setupId },
    ...{ userId: ids.userIds[0], groupId: ids.groupIds[0], deliveryId: deliveryIds[0] },
    secrets: secretsOf(directory, pulled),
    marks: [
      ...[name, directory.id, pulled.id, runId, directory.scim.secret, setupId],
      ...[...ids.userIds, ...ids.groupIds, ...deliveryIds],
    ],
  }
}

/** Refuses the replay of the first event, which is dead from then on. */
async function makeDead(service: TestService, receiver: Receiver, directory: DirectoryView): Promise<void> {
  const { id } = directory
  const before = (await logOf(service, directory)).length
  receiver.answer(({ directory_id: directoryId }) => (directoryId === id ? 422 : 204))
  await service.api('POST', `/${id}/replay`, { sequence: 1 })
  await statusWhen(service, id, ({ dead_events: dead }) => dead === 1)
  await eventually('the refused delivery', async () => (await logOf(service, directory)).length > before)
  receiver.answerWith(204)
}

function secretsOf({ scim, webhook }: DirectoryView, pulled: DirectoryView): string[] {
  const { extdir_access_token: access, extdir_refresh_token: refresh, extdir_authorization_url: url } = pulled
  const secrets = [scim.secret, webhook.secret, queryToken, access ?? '', refresh ?? '', url ?? '']
  assert(!secrets.includes(''))
  return secrets
}

/** Two users who are members of two groups: enough for a second page of every list. */
async function provision(service: TestService, directory: DirectoryView, name: string) {
  const userIds: string[] = []
  const groupIds: string[] = []
  for (const number of [1, 2]) {
    const { body } = await service.scim(directory, 'POST', '/Users', { userName: `${name}-${number}` })
    userIds.push(body.id)
  }
  for (const [number, members] of [userIds, []].entries()) {
    const group = { displayName: `${name}-${number}`, members: members.map((value) => ({ value })) }
    groupIds.push((await service.scim(directory, 'POST', '/Groups', group)).body.id)
  }
  return { userIds, groupIds }
}

async function logOf(service: TestService, { id }: DirectoryView): Promise<readonly { readonly id: string }[]> {
  return (await service.api('GET', `/events?directoryId=${id}`)).body.data
}

/** Everything that the API returns about places, to detect changes. */
export async function stateOf(service: TestService, places: readonly Place[]): Promise<readonly string[]> {
  const paths = places.flatMap(({ directory, pulled, runId }) => [
    ...[`/${directory.id}`, `/${directory.id}/delivery`, `/${directory.id}/resync`, `/${pulled.id}`],
    ...['users', 'groups', 'events', 'feed'].map((listing) => `/${listing}?directoryId=${directory.id}`),
    ...[`/${pulled.id}/sync-runs`, `/${pulled.id}/sync-runs/${runId}`],
  ])
  const responses = await Promise.all(paths.map((path) => service.api('GET', path)))
  return responses.map(({ body }, index) => `${paths[index]} ${JSON.stringify(withoutRequestId(body))}`)
}

const varying: ReadonlySet<string> = new Set(['request_id', 'extdir_authorization_url'])

/** The body of a response without its request id and the authorization URL, which changes with time. */
export function withoutRequestId(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null, (name, value) => (varying.has(name) ? undefined : value)))
}
