import type { Abridged } from '../../directory/abridged.ts'
import type { EventDraft, TraceContext } from '../../directory/event.ts'
import type { GroupView } from '../../directory/group.ts'
import { groupViewText } from '../../directory/group.ts'
import { membershipDataOf } from '../../directory/membership-event.ts'
import type { UserView } from '../../directory/user.ts'
import { userViewText } from '../../directory/user.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { toJsonText } from '../../scim/json-text.ts'

/** The phases of a resync, in order. */
export const resyncPhases = ['users', 'groups', 'members', 'completed'] as const

export type ResyncPhase = (typeof resyncPhases)[number]

export interface ResyncCounts {
  readonly users: number
  readonly groups: number
  readonly members: number
}

/** The last row that a phase has processed: users and groups are ordered by sequence, members by their ids. */
export interface ResyncPosition {
  readonly sequence: number
  readonly groupId: string
  readonly memberId: string
}

/** The position before the first row of a phase. */
export const phaseStart: ResyncPosition = { sequence: 0, groupId: '', memberId: '' }

/** Sends the whole content of a directory as snapshot events. Times are Unix milliseconds. */
export interface Resync {
  readonly directoryId: string
  readonly syncId: string
  /** The id of the request that started it, which its events refer to. */
  readonly requestId: string
  readonly traceContext?: TraceContext | undefined
  /** The sequence of a row that `sync.started` would have created. Rows created later have events of their own. */
  readonly startedSequence: number
  /** The number of committed steps: when two processes try the same step, one of them wins. */
  readonly step: number
  readonly phase: ResyncPhase
  readonly position: ResyncPosition
  /** The numbers of stored snapshots. */
  readonly sent: ResyncCounts
  readonly startedAt: number
  readonly completedAt: number | undefined
}

export type ResyncRequest = Pick<Resync, 'directoryId' | 'syncId' | 'requestId' | 'traceContext' | 'startedAt'>

/** A row with the sequence of the event that created it. */
interface CreatedRow<T> {
  readonly sequence: number
  readonly item: T
}

export interface ResyncMemberRow {
  readonly sequence: number
  readonly groupId: string
  readonly memberId: string
  /** Undefined for a nested group, which is stored, but not sent as a member. */
  readonly member: { readonly user: Abridged<UserView>; readonly group: Abridged<GroupView> } | undefined
}

/** The rows after the position of a resync, read under the directory's lock. */
export type ResyncPage =
  | { readonly phase: 'users'; readonly rows: readonly CreatedRow<UserView>[] }
  | { readonly phase: 'groups'; readonly rows: readonly CreatedRow<GroupView>[] }
  | { readonly phase: 'members'; readonly rows: readonly ResyncMemberRow[] }

/** The new state of a resync, and the events to store with it. */
export interface ResyncStep {
  readonly resync: Resync
  readonly events: readonly EventDraft[]
}

/**
 * @param counts the approximate content of the directory
 * @param rowSequence the sequence of a row that `sync.started` would create
 */
export function startResync(request: ResyncRequest, counts: ResyncCounts, rowSequence: number): ResyncStep {
  const resync: Resync = {
    ...request,
    startedSequence: rowSequence,
    step: 0,
    phase: 'users',
    position: phaseStart,
    sent: { users: 0, groups: 0, members: 0 },
    completedAt: undefined,
  }
  return { resync, events: [boundaryEvent('sync.started', resync.syncId, counts)] }
}

/** The step that sends a page. An empty page ends its phase; the end of the last phase completes the resync. */
export function nextResyncStep(resync: Resync, page: ResyncPage, now: number): ResyncStep {
  const rows = snapshotsOf(page, resync)
  const last = rows.at(-1)
  if (last === undefined) return endPhase(resync, page.phase, now)
  const events = rows.flatMap(({ event }) => event ?? [])
  const sent = { ...resync.sent, [page.phase]: resync.sent[page.phase] + events.length }
  return { resync: { ...resync, step: resync.step + 1, position: last.position, sent }, events }
}

const nextPhase = { users: 'groups', groups: 'members', members: 'completed' } as const satisfies Record<
  ResyncPage['phase'],
  ResyncPhase
>

function endPhase(resync: Resync, ended: ResyncPage['phase'], now: number): ResyncStep {
  const next = { ...resync, step: resync.step + 1, phase: nextPhase[ended], position: phaseStart }
  if (next.phase !== 'completed') return { resync: next, events: [] }
  const completed = boundaryEvent('sync.completed', resync.syncId, resync.sent)
  return { resync: { ...next, completedAt: now }, events: [completed] }
}

interface RowSnapshot {
  readonly position: ResyncPosition
  /** Undefined for a row that is skipped. */
  readonly event: EventDraft | undefined
}

function snapshotsOf(page: ResyncPage, { syncId, startedSequence }: Resync): RowSnapshot[] {
  switch (page.phase) {
    case 'users':
      return page.rows.map(({ sequence, item }) => ({
        position: { ...phaseStart, sequence },
        event: { eventType: 'user.snapshot', data: withSyncId(userViewText(item), syncId) },
      }))
    case 'groups':
      return page.rows.map(({ sequence, item }) => ({
        position: { ...phaseStart, sequence },
        event: { eventType: 'group.snapshot', data: withSyncId(groupViewText(item), syncId) },
      }))
    case 'members':
      return page.rows.map(({ groupId, memberId, sequence, member }) => {
        const isSkipped = member === undefined || sequence > startedSequence
        const position = { ...phaseStart, groupId, memberId }
        return { position, event: isSkipped ? undefined : memberSnapshot(member.user, member.group, syncId) }
      })
  }
}

function memberSnapshot(user: Abridged<UserView>, group: Abridged<GroupView>, syncId: string): EventDraft {
  return {
    eventType: 'member.snapshot',
    data: withSyncId(membershipDataOf(group)(user), syncId),
    groupId: group.id,
  }
}

function withSyncId(data: JsonText<JsonObject>, syncId: string): JsonText<JsonObject> {
  return `${data.slice(0, -1)},"sync_id":${JSON.stringify(syncId)}}` as JsonText<JsonObject>
}

function boundaryEvent(
  eventType: 'sync.started' | 'sync.completed',
  syncId: string,
  { users, groups, members }: ResyncCounts,
): EventDraft {
  return { eventType, data: toJsonText({ sync_id: syncId, users, groups, members }) }
}
