import type { AuditAction, Audited, AuditWrite, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import type { Paging } from '../../directory/listing.ts'
import { parsePaging } from '../../directory/listing.ts'
import { readPageToken, writePageToken } from '../../directory/page-token.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf, unlimited } from '../../directory/removal-limit.ts'
import type { PulledHold, PulledHolds } from './pulled.ts'
import { pulledHoldView } from './pulled.ts'
import type { Hold, HoldStore, RemovedUserPosition } from './store.ts'
import type { HoldPage } from './view.ts'
import { directoryNotFound, firstUser, holdView, isPosition, isUserToken, rejectOffset } from './view.ts'

export interface HoldControlParts {
  readonly store: HoldStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly clock: () => number
  readonly newId: () => string
  /** Of directories without one of their own. */
  readonly removalLimit: RemovalLimit | null
  /** Undefined without pulled directories. */
  readonly pulled: () => PulledHolds | undefined
  /** Called when held events may be sent. */
  readonly onRelease: (directory: Directory) => void
  /** Called when a resync has begun in place of the held events. */
  readonly onDiscard: (directory: Directory) => void
}

/** The holds of directories as the API offers them. Every operation returns the hold as it is then. */
export type HoldControl = ReturnType<typeof createHoldControl>

const maxUsers = 1_000

export function createHoldControl(parts: HoldControlParts) {
  return {
    /**
     * The hold of a directory, with a page of the users whose removals count.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input`
     */
    get: (id: string, query: unknown): Promise<HoldPage> => show(parts, id, parsePaging(query)),
    /** Those of the events, which were just committed, that are not held. */
    async sendable<E extends { readonly sequence: number }>(id: string, events: readonly E[]): Promise<readonly E[]> {
      const hold = events.length === 0 ? undefined : await parts.store.getHold(id)
      return hold === undefined ? events : events.filter(({ sequence }) => sequence < hold.firstSequence)
    },
    /** Sends what is held as it is. No effect when nothing is held. @throws DirectoryError `directory-not-found` */
    async release(id: string, caller: Caller): Promise<HoldPage> {
      const directory = await parts.directories.get(id)
      const audit = auditOf(parts, directory, 'directory.hold_released', caller)
      if (await parts.store.releaseHold(directory.id, audit)) parts.onRelease(directory)
      const run = await pulledHold(parts, directory)
      if (run !== undefined) await run.holds.release(directory.id, run.hold.runId, caller)
      return show(parts, id, undefined)
    },
    /**
     * Sends a resync of the present state in place of what is held. No effect when nothing is held.
     *
     * @param requestId of the request, which the events refer to
     * @throws DirectoryError `directory-not-found`
     */
    async discard(id: string, requestId: string, caller: Caller): Promise<HoldPage> {
      const directory = await parts.directories.get(id)
      const audit = auditOf(parts, directory, 'directory.hold_discarded', caller)
      const request = { directoryId: directory.id, syncId: parts.newId(), requestId, startedAt: parts.clock() }
      if ((await parts.store.discardHold(request, audit)) !== undefined) parts.onDiscard(directory)
      const run = await pulledHold(parts, directory)
      if (run !== undefined) await run.holds.discard(directory.id, run.hold.runId, caller)
      return show(parts, id, undefined)
    },
  }
}

function auditOf(
  { audited, clock }: HoldControlParts,
  directory: Directory,
  action: AuditAction,
  caller: Caller,
): AuditWrite {
  return audited({ action, caller, target: directoryTarget(directory), at: clock() })
}

async function show(parts: HoldControlParts, id: string, paging: Paging): Promise<HoldPage> {
  rejectOffset(paging)
  const directory = await parts.directories.get(id)
  const limit = limitOf(directory, parts.removalLimit)
  const counts = await parts.store.removalCounts(directory.id, limit ?? unlimited, parts.clock())
  if (counts === undefined) throw directoryNotFound()
  const { hold } = counts
  const run = hold === undefined ? await pulledHold(parts, directory) : undefined
  if (run !== undefined) return showPulled(directory, run, counts.activeUsers, paging)
  const start = startOf(paging)
  if (hold === undefined) return { hold: holdView(limit, counts, []), pageToken: undefined }
  const { users, pageToken } = await usersOf(parts.store, hold, start, paging?.limit)
  return { hold: holdView(limit, counts, users), pageToken }
}

interface HeldRun {
  readonly holds: PulledHolds
  readonly hold: PulledHold
}

/** The deletions that a sync of the directory holds. */
async function pulledHold({ pulled }: HoldControlParts, { id, google }: Directory): Promise<HeldRun | undefined> {
  const holds = google === undefined ? undefined : pulled()
  const hold = await holds?.find(id)
  return holds === undefined || hold === undefined ? undefined : { holds, hold }
}

async function showPulled(
  { id }: Directory,
  { holds, hold }: HeldRun,
  activeUsers: number,
  paging: Paging,
): Promise<HoldPage> {
  const limit = paging?.limit ?? maxUsers
  const after = paging !== undefined && 'token' in paging ? readPageToken(paging.token, isUserToken)[0] : ''
  const found = await holds.users(id, hold.runId, after, limit + 1)
  const users = found.slice(0, limit)
  const last = users.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { hold: pulledHoldView(hold, activeUsers, users), pageToken: hasMore ? writePageToken([last.id]) : undefined }
}

async function usersOf(store: HoldStore, hold: Hold, start: RemovedUserPosition, limit = maxUsers) {
  const found = await store.removedUsers(hold, start, limit + 1)
  const users = found.slice(0, limit)
  const last = users.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { users, pageToken: hasMore ? writePageToken([last.position.at, last.position.row]) : undefined }
}

/** @throws DirectoryError `invalid-input` for an invalid token */
function startOf(paging: Paging): RemovedUserPosition {
  if (paging === undefined || !('token' in paging)) return firstUser
  const [at, row] = readPageToken(paging.token, isPosition)
  return { at, row }
}
