import type { Resync, ResyncPhase } from '../delivery/resync/resync.ts'
import type { ResyncMemberRow } from '../delivery/resync/step.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'

/** The columns of a resync, in the order of `resyncValues`. */
export const resyncColumnNames = [
  'directory_id',
  'sync_id',
  'request_id',
  'started_sequence',
  'step',
  'phase',
  'position_sequence',
  'position_group_id',
  'position_member_id',
  'told_users',
  'told_groups',
  'told_members',
  'started_at',
  'completed_at',
] as const

/** A resync as both databases keep it. */
export interface ResyncRow {
  readonly directory_id: string
  readonly sync_id: string
  readonly request_id: string
  readonly started_sequence: number
  readonly step: number
  readonly phase: string
  readonly position_sequence: number
  readonly position_group_id: string
  readonly position_member_id: string
  readonly told_users: number
  readonly told_groups: number
  readonly told_members: number
  readonly started_at: number
  readonly completed_at: number | null
}

/** The resync of a row. */
export function resyncOf(row: ResyncRow): Resync {
  return {
    directoryId: row.directory_id,
    syncId: row.sync_id,
    requestId: row.request_id,
    startedSequence: row.started_sequence,
    step: row.step,
    phase: row.phase as ResyncPhase,
    position: {
      sequence: row.position_sequence,
      groupId: row.position_group_id,
      memberId: row.position_member_id,
    },
    sent: { users: row.told_users, groups: row.told_groups, members: row.told_members },
    startedAt: row.started_at,
    completedAt: row.completed_at ?? undefined,
  }
}

/** A resync as its row has it. */
export function resyncValues(resync: Resync) {
  const { position, sent } = resync
  return [
    resync.directoryId,
    resync.syncId,
    resync.requestId,
    resync.startedSequence,
    resync.step,
    resync.phase,
    position.sequence,
    position.groupId,
    position.memberId,
    sent.users,
    sent.groups,
    sent.members,
    resync.startedAt,
    resync.completedAt ?? null,
  ] as const
}

/** The columns of a member, over the aliases `m`, `u` and `g`; those of `u` are null where the member is a group. */
export const membershipColumns = `m.group_id, m.member_id, m.sequence, u.first_name, u.last_name, u.email, u.active,
  u.raw as user_raw, g.name as group_name, g.raw as group_raw`

/** A row of `membershipColumns`. */
export interface MembershipColumns {
  readonly group_id: string
  readonly member_id: string
  readonly sequence: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly active: number | null
  readonly user_raw: string | null
  readonly group_name: string | null
  readonly group_raw: string | null
}

/** The member of a row. */
export function membershipOf(row: MembershipColumns): ResyncMemberRow {
  const { group_id: groupId, member_id: memberId, sequence, user_raw, group_raw } = row
  if (user_raw === null || group_raw === null) return { groupId, memberId, sequence, member: undefined }
  const user = {
    id: memberId,
    firstName: row.first_name ?? '',
    lastName: row.last_name ?? '',
    email: row.email ?? '',
    active: row.active === 1,
    raw: user_raw as JsonText<JsonObject>,
  }
  const group = { id: groupId, name: row.group_name ?? '', raw: group_raw as JsonText<JsonObject> }
  return { groupId, memberId, sequence, member: { user, group } }
}

/** How many rows of counts the members are summed up from: what `sync.started` says is an estimate. */
export const maxCountedLists = 100_000
