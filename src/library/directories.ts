import { randomUUID } from 'node:crypto'
import type { HoldReason } from '../delivery/hold/hold-store.ts'
import type { HoldPage, HoldView } from '../delivery/hold/view.ts'
import type { Directory } from '../directory/directory.ts'
import { parseScope } from '../reads/paging.ts'
import type { LibraryParts, ListQuery, ScopeQuery } from './parts.ts'
import { caller } from './parts.ts'
import { resultOf } from './result.ts'

export interface OneId {
  readonly id: string
}

export interface RotateWebhookSecret extends OneId {
  readonly grace_seconds?: number
  readonly webhook_secret?: string
}

/** The reasons to release or discard, by default all, and the version of the hold that was read. */
export interface EndHold extends OneId {
  readonly reasons?: readonly HoldReason[]
  readonly version?: string
}

/** Adds the token of the next page of users, if any, to the hold. */
function withToken({ hold, pageToken }: HoldPage): HoldView & { readonly pageToken?: string } {
  return { ...hold, ...(pageToken === undefined ? {} : { pageToken }) }
}

/** Creates and manages directories. Fields have the API's names. */
export function directoryCalls(parts: LibraryParts) {
  const { directories, resyncs, holds, retryDelivery, health, deprovisionings } = parts
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
    /**
     * Sends the whole content of the directory as events, in the background. Another call in the meantime has no
     * effect.
     */
    resync: ({ id }: OneId) => resultOf(() => resyncs.begin(id, randomUUID(), caller)),
    /** The progress or the outcome of the last resync. */
    lastResync: ({ id }: OneId) => resultOf(() => resyncs.last(id)),
    /** Returns whether requests, events and syncs come through, and the observed behaviors of the identity provider. */
    health: ({ id }: OneId) => resultOf(() => health.get(id)),
    /** Statistics on the time until the product received that users lost access, over the last 30 days. */
    deprovisioning: ({ id }: OneId) => resultOf(() => deprovisionings.times(id)),
    /** The hold of a directory whose removals exceeded its limit, with the affected users. */
    hold: ({ id, ...query }: OneId & Pick<ListQuery, 'pageLimit' | 'pageToken'> & { readonly reason?: HoldReason }) =>
      resultOf(async () => withToken(await holds.get(id, query))),
    /** Sends the held events unchanged: those of the named reasons, or of the version that was read; by default all. */
    releaseHold: ({ id, ...body }: EndHold) => resultOf(async () => withToken(await holds.release(id, body, caller))),
    /** Sends a resync of the present state instead of these events. */
    discardHold: ({ id, ...body }: EndHold) =>
      resultOf(async () => withToken(await holds.discard(id, body, randomUUID(), caller))),
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
