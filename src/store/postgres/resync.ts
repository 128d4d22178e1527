import { maxMembershipBytes } from '../../directory/membership-event.ts'
import { groupColumns } from '../groups.ts'
import { membershipColumns } from '../resync.ts'
import { userColumns } from '../users.ts'
import type { ResyncPageRequest } from '../write/facts.ts'
import type { Statement } from './database.ts'
import { oneRow } from './sql.ts'

/** Returns rows until their size exceeds `$5` bytes; the first in any case, and the one that exceeds it, too. */
const resourcePage = (table: 'users' | 'groups', alias: 'u' | 'g', columns: string): string => `
  select ${columns} from (
    select *, sum(octet_length(raw)) over (order by sequence) - octet_length(raw) as bytes_before
    from (
      select * from ${table} where directory_id = $1 and sequence >= 0 and sequence > $2 and sequence < $3 order by sequence limit $4
    ) r
  ) ${alias}
  where ${alias}.bytes_before <= $5 order by ${alias}.sequence`

const userPage = resourcePage('users', 'u', userColumns)
const groupPage = resourcePage('groups', 'g', groupColumns)

const memberPage = `
  with m as materialized (
    select group_id, member_id, sequence from members
    where directory_id = $1 and (group_id, member_id) > ($2, $3) order by group_id, member_id limit $4
  ),
  page as (
    select ${membershipColumns},
      sum(least(octet_length(coalesce(u.raw, '')) + octet_length(coalesce(g.raw, '')), ${maxMembershipBytes}))
        over (order by m.group_id, m.member_id rows between unbounded preceding and 1 preceding) as bytes_before
    from m
    left join lateral (${oneRow('groups', 'g', 'id', 'm.group_id')}) g on true
    left join lateral (${oneRow('users', 'u', 'id', 'm.member_id')}) u on true
  )
  select * from page where coalesce(bytes_before, 0) <= $5 order by group_id, member_id`

/** Reads the next page of a resync. */
export function resyncPageRead({ resync, phase, limit, maxBytes }: ResyncPageRequest): Statement {
  const { directoryId, position, startedSequence } = resync
  if (phase === 'members') {
    return { text: memberPage, values: [directoryId, position.groupId, position.memberId, limit, maxBytes] }
  }
  const text = phase === 'users' ? userPage : groupPage
  return { text, values: [directoryId, position.sequence, startedSequence, limit, maxBytes] }
}
