import type { Directory } from '../../directory/directory.ts'
import { authorizationStatus } from '../../directory/google-connection.ts'
import type { GoogleStore } from '../../google/google-store.ts'
import { overdueUntil } from '../deprovisioning/deprovisionings.ts'
import type { HealthStore, StoredHealth } from './health-store.ts'
import type { HealthFacts } from './state.ts'

export interface HealthFactParts {
  readonly store: Pick<HealthStore, 'storedHealth'> & Pick<GoogleStore, 'listSyncRuns'>
  /** Whether this process sends events to an `onEvent` callback. */
  readonly hasOnEvent: boolean
  /** Whether syncs with Google Workspace start automatically. */
  readonly isSyncScheduled: boolean
  /** See `overdueUntil`. */
  readonly deprovisionTargetMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** A directory and the facts about its health. */
export interface KnownHealth {
  readonly directory: Directory
  readonly facts: HealthFacts
}

/** Reads the facts about directories, without those that were deleted in the meantime. */
export async function readHealth(parts: HealthFactParts, directories: readonly Directory[]): Promise<KnownHealth[]> {
  if (directories.length === 0) return []
  const now = parts.clock()
  const ids = directories.map(({ id }) => id)
  const stored = await parts.store.storedHealth(ids, overdueUntil(now, parts.deprovisionTargetMs))
  const known = directories.map(async (directory): Promise<KnownHealth | undefined> => {
    const found = stored.get(directory.id)
    return found && { directory, facts: await factsOf(parts, directory, found, now) }
  })
  return (await Promise.all(known)).filter((one) => one !== undefined)
}

async function factsOf(
  { store, hasOnEvent, isSyncScheduled: isScheduled }: HealthFactParts,
  directory: Directory,
  stored: StoredHealth,
  now: number,
): Promise<HealthFacts> {
  const { id, deactivated, endpoint, oauthClients = [], createdAt, google } = directory
  const hasEndpoint = endpoint !== undefined
  const facts = { stored, deactivated, hasEndpoint, hasOnEvent, oauthClients, createdAt, now }
  if (google === undefined) return { ...facts, pulled: undefined }
  const [lastSync] = await store.listSyncRuns(id, undefined, 1)
  const goneGroups = google.groups?.filter(({ isGone }) => isGone).map(({ key }) => key)
  return { ...facts, pulled: { authorization: authorizationStatus(google), lastSync, isScheduled, goneGroups } }
}
