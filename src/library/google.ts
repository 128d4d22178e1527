import type { OnEvent } from '../delivery/callback-sender.ts'
import { eventObject } from '../delivery/payload.ts'
import type { OnSyncEvents } from '../google/sync/runs.ts'
import type { LibraryParts, ListQuery, OneDirectory } from './parts.ts'
import { caller } from './parts.ts'
import { resultOf } from './result.ts'

/** The tokens of a pulled directory; `expiryDate` is in Unix milliseconds. */
export interface SetToken {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiryDate?: number
  readonly scope?: string
}

/** Connects pulled directories to Google Workspace and syncs them. */
export function googleCalls(parts: LibraryParts) {
  const { authorization, syncRuns, directoryView } = parts
  return {
    /** The page where an administrator of the customer consents; Google redirects to this service's own route. */
    generateAuthorizationUrl: (input: OneDirectory) => resultOf(() => authorization.generateAuthorizationUrl(input)),
    /** Exchanges the code of Google's redirect for tokens. Without `state` it completes the latest consent. */
    getAccessToken: (input: OneDirectory & { readonly code: string; readonly state?: string }) =>
      resultOf(() => authorization.getAccessToken(input)),
    /** Stores the tokens of a directory. */
    setToken: (input: OneDirectory & SetToken) =>
      resultOf(async () => directoryView(await authorization.setToken(input, caller))),
    /** Syncs one directory and resolves with the run once it has ended; see `sync`. */
    sync: ({ directoryId }: OneDirectory, callback?: OnEvent) =>
      resultOf(async () => (await syncRuns.start(directoryId, 'library', caller, eventsTo(parts, callback))).ended),
    /** The runs of a directory, newest first. */
    runs: ({ directoryId, ...query }: OneDirectory & Pick<ListQuery, 'pageOffset' | 'pageLimit' | 'pageToken'>) =>
      resultOf(async () => (await syncRuns.list(directoryId, query)).rows),
    /** Makes the deletions of a held run and resolves with the run once it has ended. */
    approve: ({ directoryId, run }: OneDirectory & { readonly run: string }) =>
      resultOf(async () => (await syncRuns.approve(directoryId, run, 'library', caller)).ended),
  }
}

/**
 * Syncs every pulled directory and resolves once all runs have ended. The callback is awaited for one event at a time,
 * in order for each user and group, after the commit; when it throws, the run of that directory fails and its next run
 * continues from there.
 */
export function syncAll(parts: LibraryParts, callback: OnEvent | undefined) {
  return resultOf(async () => {
    const { started, skipped } = await parts.syncRuns.startAll({
      trigger: 'library',
      onEvents: eventsTo(parts, callback),
    })
    return { runs: await Promise.all(started.map(({ ended }) => ended)), skipped }
  })
}

/** Calls the callback for one event at a time, over all directories. */
function eventsTo({ holds }: LibraryParts, callback: OnEvent | undefined): OnSyncEvents | undefined {
  if (callback === undefined) return undefined
  let previous = Promise.resolve()
  return (directory, events) => {
    const called = previous.then(async () => {
      for (const event of await holds.sendable(directory.id, events)) await callback(eventObject(event, directory))
    })
    previous = called.catch(() => {})
    return called
  }
}
