import type { AuditAction, Audited, AuditWrite, Caller } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { PagingInput } from '../../directory/inputs.ts'
import type { RemovalLimit } from '../../directory/removal-limit.ts'
import { limitOf, unlimited } from '../../directory/removal-limit.ts'
import { Type } from '../../inputs/json-schema.ts'
import { isEither, isOneOf, isText, isWhole, pageOf, pageTokens } from '../../reads/page.ts'
import type { Paging } from '../../reads/paging.ts'
import { pagingOf, parseQuery, refuseOffset } from '../../reads/paging.ts'
import type { AcceptedReasons, Hold, HoldReason, HoldStore, RemovedUser } from './hold-store.ts'
import { holdReasons } from './hold-store.ts'
import type { PulledHold, PulledHolds } from './pulled.ts'
import { pulledReasonView } from './pulled.ts'
import type { HeldReason } from './reasons.ts'
import { acceptedReasons, byReason, splitHolds } from './reasons.ts'
import type { HoldPage, HoldReasonView } from './view.ts'
import { directoryNotFound, holdView, reasonView } from './view.ts'

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
     * @param query a page, and `reason`, whose users it has; by default those of the first reason
     * @throws DirectoryError `directory-not-found`, `invalid-input`
     */
    get: async (id: string, query: unknown): Promise<HoldPage> => show(parts, id, parseHoldQuery(query)),
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
     * Sends the held events unchanged: those of the named reasons, by default of all that there are. What other reasons hold stays held.
     *
     * @param body see `EndHoldInput`
     * @throws DirectoryError `directory-not-found`, `invalid-input`, `hold-changed` when there are reasons that the caller has not seen,
     * `already-running` when a discard has removed some of the events
     */
    async release(id: string, body: unknown, caller: Caller): Promise<HoldPage> {
      const { directory, held, accepted } = await accept(parts, id, body)
      const audit = auditOf(parts, directory, 'directory.hold_released', caller, { held, accepted })
      const released = await parts.store.releaseHold(directory.id, accepted, audit)
      if (released === 'discarding') throw discardBegan()
      if (released) parts.onRelease(directory)
      if (held.run !== undefined && accepted.has('sync'))
        await parts.pulled.release(directory.id, held.run.runId, caller)
      return show(parts, id, {})
    },
    /**
     * Sends a resync of the present state instead of the held events from the first one of the named reasons on, by default of all that
     * there are. Other reasons that hold some of these events hold the resync.
     *
     * @param requestId id of the request, which the events refer to
     * @throws DirectoryError `directory-not-found`, `invalid-input`, `hold-changed` when there are reasons that the caller has not seen
     */
    async discard(id: string, body: unknown, requestId: string, caller: Caller): Promise<HoldPage> {
      const { directory, held, accepted } = await accept(parts, id, body)
      const audit = auditOf(parts, directory, 'directory.hold_discarded', caller, { held, accepted })
      const request = { directoryId: directory.id, syncId: parts.newId(), requestId, startedAt: parts.clock() }
      if ((await parts.store.discardHold(request, accepted, audit)) !== undefined) parts.onDiscard(directory)
      if (held.run !== undefined && accepted.has('sync'))
        await parts.pulled.discard(directory.id, held.run.runId, caller)
      return show(parts, id, {})
    },
  }
}

/** Everything for which a directory is held. */
interface Held {
  readonly holds: readonly Hold[]
  /** The run that holds deletions. */
  readonly run: PulledHold | undefined
}

async function accept(parts: HoldControlParts, id: string, body: unknown) {
  const directory = await parts.directories.get(id)
  const [holds, run] = await Promise.all([parts.store.getHolds(directory.id), pulledHold(parts, directory)])
  const reasons: HeldReason[] = byReason(holds).map((same) => reasonView(same, []))
  if (run !== undefined) reasons.push({ reason: 'sync', version: run.since })
  return { directory, held: { holds, run }, accepted: acceptedReasons(reasons, body) }
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
  { held, accepted }: { readonly held: Held; readonly accepted: AcceptedReasons },
): AuditWrite {
  const { ended, remaining } = splitHolds(held.holds, accepted)
  const names = (holds: readonly Hold[]) => byReason(holds).map(([{ reason }]) => reason)
  const changes = { reasons: { from: names([...ended, ...remaining]), to: names(remaining) } }
  return audited({ action, caller, target: directoryTarget(directory), changes, at: clock() })
}

interface Shown {
  readonly paging?: Paging
  /** The reason whose fields come first in the answer. */
  readonly reason?: HoldReason | undefined
}

async function show(parts: HoldControlParts, id: string, { paging, reason }: Shown): Promise<HoldPage> {
  const directory = await parts.directories.get(id)
  const limit = limitOf(directory, parts.removalLimit)
  const [counts, run] = await Promise.all([
    parts.store.removalCounts(directory.id, limit ?? unlimited, parts.clock()),
    pulledHold(parts, directory),
  ])
  if (counts === undefined) throw directoryNotFound()
  const page = { limit: paging?.limit ?? maxUsers, ...holdTokens.read(paging?.token) }
  const held = [
    ...byReason(counts.holds).map((holds) => holdReason(parts.store, holds, page)),
    ...(run === undefined ? [] : [pulledReason(parts.pulled, directory, run, counts.activeUsers, page)]),
  ]
  const reasons = await Promise.all(held)
  const hold = holdView(
    limit,
    counts,
    reasons.map(({ view }) => view),
    reason ?? page.reason,
  )
  return { hold, pageToken: reasons.find(({ view }) => view.reason === hold.reason)?.pageToken }
}

/** The deletions that a sync of the directory holds. */
async function pulledHold({ pulled }: HoldControlParts, { id, google }: Directory): Promise<PulledHold | undefined> {
  return google === undefined ? undefined : pulled.find(id)
}

interface UserPage {
  readonly limit: number
  /** The reason whose list the page belongs to, and where it begins; undefined for the first page. */
  readonly reason?: HoldReason | undefined
  readonly after?: number | string
}

/** A reason with a page of its users. */
interface ShownReason {
  readonly view: HoldReasonView
  readonly pageToken: string | undefined
}

async function holdReason(
  store: HoldStore,
  holds: readonly [Hold, ...Hold[]],
  { limit, reason, after }: UserPage,
): Promise<ShownReason> {
  const [first] = holds
  if (first.reason !== 'users') return { view: reasonView(holds, []), pageToken: undefined }
  const start = reason === 'users' && typeof after === 'number' ? after : 0
  const found = await store.removedUsers(first, start, limit + 1)
  const tokenOf = ({ position: after }: RemovedUser) => holdTokens.write({ reason: 'users', after })
  const { rows, pageToken } = pageOf(found, limit, tokenOf)
  return { view: reasonView(holds, rows), pageToken }
}

async function pulledReason(
  pulled: PulledHolds,
  { id }: Directory,
  run: PulledHold,
  activeUsers: number,
  { limit, reason, after }: UserPage,
): Promise<ShownReason> {
  const start = reason === 'sync' && typeof after === 'string' ? after : ''
  const found = await pulled.users(id, run.runId, start, limit + 1)
  const { rows, pageToken } = pageOf(found, limit, (last) => holdTokens.write({ reason: 'sync', after: last.id }))
  return { view: pulledReasonView(run, activeUsers, rows), pageToken }
}

const holdTokens = pageTokens<{ readonly reason: 'users' | 'sync'; readonly after: number | string }>({
  reason: isOneOf(['users', 'sync']),
  after: isEither(isWhole, isText),
})

const HoldQuery = Type.Object({
  ...PagingInput.properties,
  reason: Type.Optional(Type.Enum(holdReasons, { description: `reason: one of ${holdReasons.join(', ')}.` })),
})

/** @throws DirectoryError `invalid-input` */
function parseHoldQuery(query: unknown): Shown {
  const { reason, ...part } = parseQuery(HoldQuery, query)
  const paging = pagingOf(part)
  refuseOffset(paging)
  return { paging, reason }
}
