import assert from 'node:assert/strict'
import { createKeyedMutex } from '../../../src/concurrency/keyed-mutex.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { newEndpointSecret } from '../../../src/delivery/endpoint/signature.ts'
import { eventObject } from '../../../src/delivery/payload.ts'
import { createDirectories } from '../../../src/directory/directories.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import { errorResponseOf } from '../../../src/error-response.ts'
import { newId } from '../../../src/ids/new-id.ts'
import type { Listing } from '../../../src/reads/page.ts'
import { createReads } from '../../../src/reads/reads.ts'
import { eachItem, wholeText } from '../../../src/scim/json-list.ts'
import { createDirectoryAccess } from '../../../src/service-provider/access.ts'
import { perform } from '../../../src/service-provider/operations.ts'
import type { ScimRequest, ServiceProvider } from '../../../src/service-provider/request.ts'
import type { Store } from '../../../src/store/store.ts'
import { testAudited } from '../../support/audited.ts'
import type { Answer } from '../../support/client.ts'
import { inOrderOfIds } from '../../support/rebuilt.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import type { Replica } from '../../support/replica.ts'
import { asInEvents, withoutGroups } from '../../support/replica.ts'
import type { Idp } from './idp.ts'

/** Directories with provisioning and reads over an open store, without HTTP and without background work. */
export type InProcessService = ReturnType<typeof inProcessService>

export function inProcessService(store: Store) {
  const clock = Date.now
  const access = createDirectoryAccess(store, clock)
  const checkEndpointUrl = async () => undefined
  const parts = { store, access, audited: testAudited, clock, newId, newEndpointSecret, checkEndpointUrl }
  const directories = createDirectories(parts)
  const provider: ServiceProvider = {
    ...{
      provisioning: { store, mutex: createKeyedMutex() },
      newId,
      access,
      clock,
      externalUrl: () => 'https://sync.example',
    },
    ...{ slices: createTimeSlices(), onCommit: () => {}, onSkippedMembers: () => {} },
    onOperationError: (error) => assert.fail(String(error)),
  }
  return {
    directories,
    reads: createReads({ store, slices: provider.slices, externalUrl: () => '' }),
    scim: (directory: Directory, request: ScimRequest) =>
      perform(provider, { directory, secret: directory.scimSecret }, request),
  }
}

/** The identity provider of a directory, which calls the service without HTTP. */
export function inProcessIdp(service: InProcessService, directory: Directory): Pick<Idp, 'send'> {
  async function answer(request: ScimRequest): Promise<{ status: number; text: string }> {
    try {
      const { status, body } = await service.scim(directory, request)
      return { status, text: typeof body === 'string' ? body : (await Array.fromAsync(body ?? [])).join('') }
    } catch (error) {
      const refusal = errorResponseOf(error)
      if (refusal === undefined) throw error
      return { status: refusal.status, text: '' }
    }
  }
  return {
    async send(method, path, body) {
      const [, collection, resourceId] = path.split('/')
      const { status, text } = await answer({
        method: method as ScimRequest['method'],
        endpoint: `/${collection as 'Users' | 'Groups'}${resourceId === undefined ? '' : '/:id'}`,
        resourceId: resourceId ?? '',
        body,
        query: {},
        ifMatch: undefined,
        ifNoneMatch: undefined,
        requestId: 'a request',
      })
      return { status, headers: {}, text, body: text === '' ? undefined : JSON.parse(text) } as Answer
    },
  }
}

/** Every event of a directory after a sequence number, as its endpoint would receive it. */
export async function payloadsAfter(store: Store, directory: Directory, after: number): Promise<ReceivedEvent[]> {
  const payloads: ReceivedEvent[] = []
  for (;;) {
    const part = await store.eventsAfter(directory.id, payloads.at(-1)?.sequence ?? after, 1000)
    if (part.length === 0) return payloads
    payloads.push(...part.map((event) => eventObject(event, directory) as unknown as ReceivedEvent))
  }
}

/** The directory as the product reads it, ordered by id. */
export async function replicaIn({ reads }: InProcessService, { id: directoryId }: Directory): Promise<Replica> {
  const rows = async ({ rows }: Listing) =>
    (await Array.fromAsync(eachItem(rows), wholeText)).map((row): { id: string } => JSON.parse(row))
  const [users, groups] = [
    await rows(await reads.users({ directoryId })),
    await rows(await reads.groups({ directoryId })),
  ]
  const members: [string, string[]][] = []
  for (const { id } of groups) {
    const found = (await rows(await reads.members(id, { directoryId }))) as unknown as { user_id: string }[]
    members.push([id, found.map((member) => member.user_id)])
  }
  return inOrderOfIds({
    users: users.map(asInEvents).map(withoutGroups),
    groups: groups.map(asInEvents),
    members: Object.fromEntries(members),
  })
}
