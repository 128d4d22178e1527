import type { Page } from '../../reads/page.ts'
import { isOneOf, isText, isWhole, pageOf, pageTokens } from '../../reads/page.ts'
import type { PageRequest, Paging } from '../../reads/paging.ts'
import { refuseOffset } from '../../reads/paging.ts'
import type { GoogleStore, HeldKind, SyncRun, SyncRunPosition } from '../google-store.ts'
import type { SyncRunView } from './run-view.ts'
import { syncRunView } from './run-view.ts'

/** The maximum number of runs per page; no directory keeps more. */
const maxRuns = 1_000

const runTokens = pageTokens<SyncRunPosition>({ startedAt: isWhole, id: isText })

/** A page of a directory's runs, newest first. */
export async function runPage(
  store: Pick<GoogleStore, 'listSyncRuns'>,
  directoryId: string,
  { offset, limit, token }: PageRequest = { offset: 0, limit: maxRuns },
): Promise<Page<SyncRunView>> {
  const skip = Math.min(offset, maxRuns)
  const runs = await store.listSyncRuns(directoryId, runTokens.read(token), skip + limit + 1)
  const { rows, pageToken } = pageOf(runs.slice(skip), limit, runTokens.write)
  return { rows: rows.map(syncRunView), pageToken }
}

/** A user or group whose deletion waits for approval. */
export interface HeldDeletion {
  readonly kind: HeldKind
  readonly id: string
}

const heldTokens = pageTokens<HeldDeletion>({ kind: isOneOf(['user', 'group']), id: isText })

/**
 * A page of the deletions that a run holds, users first.
 *
 * @throws DirectoryError `invalid-input` for an offset, which this list does not support, or an invalid token
 */
export async function heldPage(
  store: Pick<GoogleStore, 'listHeld'>,
  { directoryId, id: runId }: SyncRun,
  paging: Paging,
): Promise<Page<HeldDeletion>> {
  refuseOffset(paging)
  const { token, limit = maxRuns } = paging ?? {}
  const from = heldTokens.read(token) ?? { kind: 'user', id: '' }
  const found: HeldDeletion[] = []
  const kinds: readonly HeldKind[] = from.kind === 'user' ? ['user', 'group'] : ['group']
  for (const kind of kinds) {
    const after = kind === from.kind ? from.id : ''
    const ids = await store.listHeld(directoryId, runId, kind, after, limit + 1 - found.length)
    found.push(...ids.map((id) => ({ kind, id })))
  }
  return pageOf(found, limit, heldTokens.write)
}
