import { randomUUID } from 'node:crypto'
import type { Directory } from '../directory/directory.ts'
import { parseScope } from '../directory/listing.ts'
import type { LibraryParts, ScopeQuery } from './parts.ts'
import { caller } from './parts.ts'
import { resultOf } from './result.ts'

export interface OneId {
  readonly id: string
}

export interface RotateWebhookSecret extends OneId {
  readonly grace_seconds?: number
  readonly webhook_secret?: string
}

/** Creates and manages directories. Fields have the API's names. */
export function directoryCalls(parts: LibraryParts) {
  const { directories, resyncs, retryDelivery, health, deprovisionings } = parts
  const view = (directory: Directory) => parts.directoryView(directory)
  return {
    create: (input: object) => resultOf(async () => view(await directories.create(input, caller))),
    get: ({ id }: OneId) => resultOf(async () => view(await directories.get(id))),
    list: (query: ScopeQuery) =>
      resultOf(async () => (await Array.fromAsync(directories.all(parseScope(query)))).map(view)),
    update: ({ id, ...changes }: OneId & object) =>
      resultOf(async () => {
        const directory = await directories.update(id, changes, caller)
        await retryDelivery(id, changes)
        return view(directory)
      }),
    delete: ({ id }: OneId) =>
      resultOf(async () => {
        await directories.delete(id, caller)
        return {}
      }),
    /** Sends everything that the directory holds as events, in the background. Another call in the meantime has no effect. */
    resync: ({ id }: OneId) => resultOf(() => resyncs.begin(id, randomUUID(), caller)),
    /** The progress or the outcome of the last resync. */
    lastResync: ({ id }: OneId) => resultOf(() => resyncs.last(id)),
    /** Whether requests, events and syncs come through, and what the identity provider has been observed to do. */
    health: ({ id }: OneId) => resultOf(() => health.get(id)),
    /** How fast the product receives that users lost access, over the last 30 days. */
    deprovisioning: ({ id }: OneId) => resultOf(() => deprovisionings.times(id)),
    rotateSecret: ({ id, ...input }: OneId & { readonly grace_seconds?: number }) =>
      resultOf(async () => view(await directories.rotateSecret(id, input, caller))),
    rotateWebhookSecret: ({ id, ...input }: RotateWebhookSecret) =>
      resultOf(async () => {
        const directory = await directories.rotateWebhookSecret(id, input, caller)
        await retryDelivery(id, {})
        return view(directory)
      }),
  }
}
