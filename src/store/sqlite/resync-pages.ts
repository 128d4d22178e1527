import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Resync } from '../../delivery/resync/resync.ts'
import type { ResyncPage } from '../../delivery/resync/step.ts'
import type { ResyncStepLimits } from '../../delivery/resync/store.ts'
import type { GroupRow, UserRow } from '../resource-rows.ts'
import { groupColumns, groupOf, userColumns, userOf } from '../resource-rows.ts'
import type { MembershipColumns } from '../resync-row.ts'
import { membershipColumns, membershipOf } from '../resync-row.ts'
import { placesBehind } from './place.ts'

/** Reads what comes next of a resync. Each read is within the transaction of its step. */
export function createResyncPages(db: DatabaseSync) {
  const users = db.prepare(`
    select ${userColumns} from users u where ${placesBehind('u.place', '?2')} and u.sequence < ?3
    order by u.place limit ?4`)
  const groups = db.prepare(`
    select ${groupColumns} from groups g where ${placesBehind('g.place', '?2')} and g.sequence < ?3
    order by g.place limit ?4`)
  const members = db.prepare(`
    select ${membershipColumns} from members m
    left join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    left join users u on u.directory_id = m.directory_id and u.id = m.member_id
    where m.directory_id = ?1 and (m.group_id, m.member_id) > (?2, ?3)
    order by m.group_id, m.member_id limit ?4`)

  return (
    directoryId: string,
    { position, startedSequence }: Resync,
    phase: ResyncPage['phase'],
    { rows: limit, bytes }: ResyncStepLimits,
  ): ResyncPage => {
    const made = [directoryId, position.sequence, startedSequence, limit] as const
    switch (phase) {
      case 'users': {
        const rows = some<UserRow>(users, made, bytes, ({ raw }) => raw.length)
        return { phase, rows: rows.map((row) => ({ sequence: row.sequence, item: userOf(row) })) }
      }
      case 'groups': {
        const rows = some<GroupRow>(groups, made, bytes, ({ raw }) => raw.length)
        return { phase, rows: rows.map((row) => ({ sequence: row.sequence, item: groupOf(row) })) }
      }
      case 'members': {
        const values = [directoryId, position.groupId, position.memberId, limit] as const
        return { phase, rows: some<MembershipColumns>(members, values, bytes, membershipBytes).map(membershipOf) }
      }
    }
  }
}

const membershipBytes = ({ user_raw, group_raw }: MembershipColumns): number =>
  (user_raw?.length ?? 0) + (group_raw?.length ?? 0)

/** Rows until they pass so many bytes, about; the first in any case. */
function some<R>(
  statement: StatementSync,
  values: readonly (string | number)[],
  maxBytes: number,
  bytesOf: (row: R) => number,
): R[] {
  const rows: R[] = []
  let bytes = 0
  for (const row of statement.iterate(...values) as Iterable<R>) {
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes > maxBytes) break
  }
  return rows
}
