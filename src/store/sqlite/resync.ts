import type { DatabaseSync } from 'node:sqlite'
import { groupColumns } from '../groups.ts'
import { membershipColumns } from '../resync.ts'
import type { Row } from '../row.ts'
import { optionalText, text } from '../row.ts'
import { userColumns } from '../users.ts'
import type { ResyncPageRequest } from '../write/facts.ts'
import { readBounded } from './sql-database.ts'

/** Reads the next page of a resync, in the transaction of its step. */
export function createResyncPages(db: DatabaseSync) {
  const users = db.prepare(`
    select ${userColumns} from users u where u.directory_id = ?1 and u.sequence > ?2 and u.sequence < ?3
    order by u.sequence limit ?4`)
  const groups = db.prepare(`
    select ${groupColumns} from groups g where g.directory_id = ?1 and g.sequence > ?2 and g.sequence < ?3
    order by g.sequence limit ?4`)
  const members = db.prepare(`
    select ${membershipColumns} from members m
    left join groups g on g.directory_id = m.directory_id and g.id = m.group_id
    left join users u on u.directory_id = m.directory_id and u.id = m.member_id
    where m.directory_id = ?1 and (m.group_id, m.member_id) > (?2, ?3)
    order by m.group_id, m.member_id limit ?4`)

  return ({ resync, phase, limit, maxBytes }: ResyncPageRequest): Row[] => {
    const { directoryId, position, startedSequence } = resync
    const rows =
      phase === 'members'
        ? members.iterate(directoryId, position.groupId, position.memberId, limit)
        : (phase === 'users' ? users : groups).iterate(directoryId, position.sequence, startedSequence, limit)
    return readBounded(rows, maxBytes, phase === 'members' ? membershipBytes : rawBytes)
  }
}

const rawBytes = (row: Row): number => text(row, 'raw').length

function membershipBytes(row: Row): number {
  return (optionalText(row, 'user_raw')?.length ?? 0) + (optionalText(row, 'group_raw')?.length ?? 0)
}
