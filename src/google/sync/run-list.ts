import { DirectoryError } from '../../directory/errors.ts'
import type { Page } from '../../reads/listing.ts'
import { readPageToken, writePageToken } from '../../reads/page-token.ts'
import type { Paging } from '../../reads/paging.ts'
import type { GoogleStore, HeldKind, SyncRun, SyncRunPosition } from '../google-store.ts'
import type { SyncRunView } from './run-view.ts'
import { syncRunView } from './run-view.ts'

/** The maximum number of runs per page; no directory keeps more. */
const maxRuns = 1_000

/** A page of a directory's runs, newest first. */
export async function runPage(
  store: Pick<GoogleStore, 'listSyncRuns'>,
  directoryId: string,
  paging: Paging,
): Promise<Page<SyncRunView>> {
  const { after, skip, limit } = runRange(paging)
  const runs = await store.listSyncRuns(directoryId, after, skip + limit + 1)
  const page = runs.slice(skip, skip + limit)
  const last = page.at(-1)
  const hasMore = runs.length > skip + limit && last !== undefined
  return { rows: page.map(syncRunView), pageToken: hasMore ? writePageToken([last.startedAt, last.id]) : undefined }
}

interface RunRange {
  readonly after: SyncRunPosition | undefined
  readonly skip: number
  readonly limit: number
}

function runRange(paging: Paging): RunRange {
  if (paging === undefined) return { after: undefined, skip: 0, limit: maxRuns }
  const { limit } = paging
  if ('token' in paging) {
    const [startedAt, id] = readPageToken(paging.token, isRunPosition)
    return { after: { startedAt, id }, skip: 0, limit }
  }
  return { after: undefined, skip: Math.min(paging.offset, maxRuns), limit }
}

type StoredRunPosition = readonly [startedAt: number, id: string]

function isRunPosition(value: unknown): value is StoredRunPosition {
  return Array.isArray(value) && Number.isSafeInteger(value[0]) && isId(value[1])
}

/** A user or group whose deletion waits for approval. */
export interface HeldDeletion {
  readonly kind: HeldKind
  readonly id: string
}

/** A position in the list of held deletions, in which users come before groups. */
interface HeldPosition {
  readonly kind: HeldKind
  readonly after: string
}

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
  const from = heldPosition(paging)
  const limit = paging?.limit ?? maxRuns
  const found: HeldDeletion[] = []
  const kinds: readonly HeldKind[] = from.kind === 'user' ? ['user', 'group'] : ['group']
  for (const kind of kinds) {
    const after = kind === from.kind ? from.after : ''
    const ids = await store.listHeld(directoryId, runId, kind, after, limit + 1 - found.length)
    found.push(...ids.map((id) => ({ kind, id })))
  }
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, pageToken: hasMore ? writePageToken([last.kind, last.id]) : undefined }
}

function heldPosition(paging: Paging): HeldPosition {
  if (paging !== undefined && 'offset' in paging && paging.offset > 0) {
    throw new DirectoryError('invalid-input', 'pageOffset: this list supports pageToken only.')
  }
  if (paging === undefined || !('token' in paging)) return { kind: 'user', after: '' }
  const [kind, after] = readPageToken(paging.token, isHeldPosition)
  return { kind, after }
}

type StoredHeldPosition = readonly [kind: HeldKind, after: string]

function isHeldPosition(value: unknown): value is StoredHeldPosition {
  return Array.isArray(value) && (value[0] === 'user' || value[0] === 'group') && isId(value[1])
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 512 && !value.includes('\0')
}
