import assert from 'node:assert/strict'
import { v7 as uuidv7 } from 'uuid'
import type { Directory } from '../../../src/directory/directory.ts'
import type {
  SyncProgress,
  SyncRun,
  SyncRunBegun,
  SyncRunEnd,
  SyncRunRequest,
} from '../../../src/google/google-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { addDirectory } from './samples.ts'

/** Leases that last longer than any test, and that have expired when they are taken. */
export const longMs = 60_000
export const silentMs = 0

export const someProgress: SyncProgress = {
  ...{ phase: 'members', requests: 1, pages: 2, created: 3, updated: 4, deleted: 5, held: 6, skipped: 7 },
  ...{ membersAdded: 8, membersRemoved: 9 },
}

/** Adds a pulled directory. */
export async function addPulled(store: Store, fields: Partial<Directory> = {}): Promise<Directory> {
  const extdir = { domain: 'acme.example', accessToken: 'access', refreshToken: 'refresh' }
  return addDirectory(store, { directoryType: 'extdir', google: extdir, ...fields })
}

export type Asked = Partial<SyncRunRequest> & Pick<SyncRunRequest, 'directoryId'>

/** A request for a run by `me`. */
export function someRequest(fields: Asked): SyncRunRequest {
  return { id: uuidv7(), trigger: 'api', startedAt: 1_700_000_000_000, holder: 'me', ttlMs: longMs, ...fields }
}

/** The result of a request that must begin a run. */
export function begun(response: SyncRunBegun): Extract<SyncRunBegun, { outcome: 'begun' }> {
  return response.outcome === 'begun' ? response : assert.fail(`not begun: ${response.outcome}`)
}

export async function begin(store: Store, asked: Asked): Promise<SyncRun> {
  return begun(await store.beginSyncRun(someRequest(asked))).run
}

export function ended(state: SyncRunEnd['state'], error?: string): SyncRunEnd {
  return { state, finishedAt: 1_700_000_005_000, error }
}

/** Finishes a run of `me`, with some progress. */
export async function finish(
  store: Store,
  run: Pick<SyncRun, 'directoryId' | 'id'>,
  { holder = 'me', state = 'completed', error }: Partial<SyncRunEnd> & { readonly holder?: string } = {},
): Promise<void> {
  assert.equal(await store.finishSyncRun(run, holder, someProgress, ended(state, error)), 'finished')
}
