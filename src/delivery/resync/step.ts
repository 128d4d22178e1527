import type { EventDraft } from '../../directory/event.ts'
import type { GroupView } from '../../directory/group.ts'
import { groupViewText } from '../../directory/group.ts'
import { userInGroupText } from '../../directory/member-changes.ts'
import type { UserView } from '../../directory/user.ts'
import { userViewText } from '../../directory/user.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { toJsonText } from '../../scim/json-text.ts'
import type { Resync, ResyncCounts, ResyncPhase, ResyncPosition, ResyncRequest } from './resync.ts'
import { phaseStart } from './resync.ts'

/** A row with the sequence number of the event that made it. */
interface MadeRow<T> {
  readonly sequence: number
  readonly item: T
}

/** A row of a group's members. */
export interface ResyncMemberRow {
  readonly sequence: number
  readonly groupId: string
  readonly memberId: string
  /** Undefined where the member is a group: those are kept, but are no members that the product is told of. */
  readonly member: { readonly user: UserView; readonly group: GroupView } | undefined
}

/** The rows behind the position of a resync, as they are under the directory's lock. */
export type ResyncPage =
  | { readonly phase: 'users'; readonly rows: readonly MadeRow<UserView>[] }
  | { readonly phase: 'groups'; readonly rows: readonly MadeRow<GroupView>[] }
  | { readonly phase: 'members'; readonly rows: readonly ResyncMemberRow[] }

/** The resync as it is after something happened, and the events that tell of that. */
export interface ResyncStep {
  readonly resync: Resync
  readonly events: readonly EventDraft[]
}

/**
 * Begins a resync.
 *
 * @param counts what there is about now
 * @param sequence the one that `sync.started` will have
 */
export function startResync(request: ResyncRequest, counts: ResyncCounts, sequence: number): ResyncStep {
  const resync: Resync = {
    ...request,
    startedSequence: sequence,
    step: 0,
    phase: 'users',
    position: phaseStart,
    sent: { users: 0, groups: 0, members: 0 },
    completedAt: undefined,
  }
  return { resync, events: [endEvent('sync.started', resync.syncId, counts)] }
}

/** The step that tells of a page. A page without rows ends its phase; the end of the last one ends the resync. */
export function nextResyncStep(resync: Resync, page: ResyncPage, now: number): ResyncStep {
  const rows = rowsOf(page, resync)
  const last = rows.at(-1)
  if (last === undefined) return phaseEnded(resync, page.phase, now)
  const events = rows.flatMap(({ event }) => event ?? [])
  const sent = { ...resync.sent, [page.phase]: resync.sent[page.phase] + events.length }
  return { resync: { ...resync, step: resync.step + 1, position: last.position, sent }, events }
}

const nextPhase = { users: 'groups', groups: 'members', members: 'completed' } as const satisfies Record<
  ResyncPage['phase'],
  ResyncPhase
>

function phaseEnded(resync: Resync, ended: ResyncPage['phase'], now: number): ResyncStep {
  const next = { ...resync, step: resync.step + 1, phase: nextPhase[ended], position: phaseStart }
  if (next.phase !== 'completed') return { resync: next, events: [] }
  return { resync: { ...next, completedAt: now }, events: [endEvent('sync.completed', resync.syncId, resync.sent)] }
}

interface SeenRow {
  readonly position: ResyncPosition
  readonly event: EventDraft | undefined
}

function rowsOf(page: ResyncPage, { syncId, startedSequence }: Resync): SeenRow[] {
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
      return page.rows.map((row) => {
        const { groupId, memberId, sequence, member } = row
        const isSkipped = member === undefined || sequence > startedSequence
        const position = { ...phaseStart, groupId, memberId }
        return { position, event: isSkipped ? undefined : memberSnapshot(member.user, member.group, syncId) }
      })
  }
}

function memberSnapshot(user: UserView, group: GroupView, syncId: string): EventDraft {
  return { eventType: 'member.snapshot', data: withSyncId(userInGroupText(user, groupViewText(group)), syncId) }
}

function withSyncId(data: JsonText<JsonObject>, syncId: string): JsonText<JsonObject> {
  return `${data.slice(0, -1)},"sync_id":${JSON.stringify(syncId)}}` as JsonText<JsonObject>
}

function endEvent(
  eventType: 'sync.started' | 'sync.completed',
  syncId: string,
  { users, groups, members }: ResyncCounts,
): EventDraft {
  return { eventType, data: toJsonText({ sync_id: syncId, users, groups, members }) }
}
