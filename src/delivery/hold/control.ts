import type { AuditAction, Audited, AuditWrite, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf, unlimited } from '../../directory/removal-limit.ts'
import { readPageToken, writePageToken } from '../../reads/page-token.ts'
import type { Paging } from '../../reads/paging.ts'
import { parsePaging } from '../../reads/paging.ts'
import type { Hold, HoldStore } from './hold-store.ts'
import type { PulledHold, PulledHolds } from './pulled.ts'
import { pulledHoldView } from './pulled.ts'
import type { HoldPage } from './view.ts'
import { directoryNotFound, firstUser, holdView, isPosition, isUserToken, rejectOffset } from './view.ts'

export interface HoldControlParts {
  readonly store: HoldStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly clock: () => number
  readonly newId: () => string
  /** The limit of directories that have no limit of their own. */
  readonly removalLimit: RemovalLimit | null
  readonly pulled: PulledHolds
  /** Called when the held events may be sent. */
  readonly onRelease: (directory: Directory) => void
  /** Called when a resync has begun instead of the held events. */
  readonly onDiscard: (directory: Directory) => void
}

/** The holds of directories as the API offers them. Every operation returns the resulting hold. */
export type HoldControl = ReturnType<typeof createHoldControl>

const maxUsers = 1_000

type CommittedEvent = Pick<StoredEvent, 'id' | 'sequence'>

export function createHoldControl(parts: HoldControlParts) {
  return {
    /**
     * The hold of a directory, with a page of the users whose removals count.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input`
     */
    get: (id: string, query: unknown): Promise<HoldPage> => show(parts, id, parsePaging(query)),
    /**
     * The events of a commit that are neither held nor discarded. An event that is once sendable is never discarded.
     */
    async sendable<E extends CommittedEvent>(id: string, events: readonly E[]): Promise<readonly E[]> {
      const [first, last] = [events[0], events.at(-1)]
      if (first === undefined || last === undefined) return []
      const ids = await parts.store.sendableIds(id, first.sequence, last.sequence)
      return events.filter((event) => ids.has(event.id))
    },
    /**
     * Sends the held events unchanged. No effect when nothing is held.
     *
     * @throws DirectoryError `directory-not-found`, `already-running` when a discard has removed some of them
     */
    async release(id: string, caller: Caller): Promise<HoldPage> {
      const directory = await parts.directories.get(id)
      const audit = auditOf(parts, directory, 'directory.hold_released', caller)
      const released = await parts.store.releaseHold(directory.id, audit)
      if (released === 'discarding') throw discardBegan()
      if (released) parts.onRelease(directory)
      const run = await pulledHold(parts, directory)
      if (run !== undefined) await parts.pulled.release(directory.id, run.runId, caller)
      return show(parts, id, undefined)
    },
    /**
     * Sends a resync of the present state instead of the held events. No effect when nothing is held.
     *
     * @param requestId id of the request, which the events refer to
     * @throws DirectoryError `directory-not-found`
     */
    async discard(id: string, requestId: string, caller: Caller): Promise<HoldPage> {
      const directory = await parts.directories.get(id)
      const audit = auditOf(parts, directory, 'directory.hold_discarded', caller)
      const request = { directoryId: directory.id, syncId: parts.newId(), requestId, startedAt: parts.clock() }
      if ((await parts.store.discardHold(request, audit)) !== undefined) parts.onDiscard(directory)
      const run = await pulledHold(parts, directory)
      if (run !== undefined) await parts.pulled.discard(directory.id, run.runId, caller)
      return show(parts, id, undefined)
    },
  }
}

function discardBegan(): DirectoryError {
  const message =
    'A discard of the held events has begun: they can no longer be released. Discard the hold to complete it.'
  return new DirectoryError('already-running', message)
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
  if (run !== undefined) return showPulled(parts.pulled, directory, run, counts.activeUsers, paging)
  const start = startOf(paging)
  if (hold === undefined) return { hold: holdView(limit, counts, []), pageToken: undefined }
  const { users, pageToken } = await usersOf(parts.store, hold, start, paging?.limit)
  return { hold: holdView(limit, counts, users), pageToken }
}

/** The deletions that a sync of the directory holds. */
async function pulledHold({ pulled }: HoldControlParts, { id, google }: Directory): Promise<PulledHold | undefined> {
  return google === undefined ? undefined : pulled.find(id)
}

async function showPulled(
  holds: PulledHolds,
  { id }: Directory,
  hold: PulledHold,
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

async function usersOf(store: HoldStore, hold: Hold, start: number, limit = maxUsers) {
  const found = await store.removedUsers(hold, start, limit + 1)
  const users = found.slice(0, limit)
  const last = users.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { users, pageToken: hasMore ? writePageToken([last.position]) : undefined }
}

/** @throws DirectoryError `invalid-input` for an invalid token */
function startOf(paging: Paging): number {
  if (paging === undefined || !('token' in paging)) return firstUser
  return readPageToken(paging.token, isPosition)[0]
}
