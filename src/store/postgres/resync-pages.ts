import type { Resync } from '../../delivery/resync/resync.ts'
import type { ResyncPage } from '../../delivery/resync/step.ts'
import type { ResyncStepLimits } from '../../delivery/resync/store.ts'
import type { GroupRow, UserRow } from '../resource-rows.ts'
import { groupColumns, groupOf, userColumns, userOf } from '../resource-rows.ts'
import type { MembershipColumns } from '../resync-row.ts'
import { membershipColumns, membershipOf } from '../resync-row.ts'
import type { Row, Statement } from './database.ts'

/** Rows until they pass so many bytes (`$5`); the first in any case. */
const made = (table: 'users' | 'groups', alias: 'u' | 'g', columns: string): string => `
  select ${columns} from (
    select *, sum(octet_length(raw)) over (order by sequence) - octet_length(raw) as bytes_before
    from (
      select * from ${table} where directory_id = $1 and sequence > $2 and sequence < $3 order by sequence limit $4
    ) r
  ) ${alias}
  where ${alias}.bytes_before <= $5 order by ${alias}.sequence`

const users = made('users', 'u', userColumns)
const groups = made('groups', 'g', groupColumns)

const members = `
  with m as materialized (
    select group_id, member_id, sequence from members
    where directory_id = $1 and (group_id, member_id) > ($2, $3) order by group_id, member_id limit $4
  ),
  page as (
    select ${membershipColumns},
      sum(octet_length(coalesce(u.raw, '')) + octet_length(coalesce(g.raw, '')))
        over (order by m.group_id, m.member_id rows between unbounded preceding and 1 preceding) as bytes_before
    from m
    left join groups g on g.directory_id = $1 and g.id = m.group_id
    left join users u on u.directory_id = $1 and u.id = m.member_id
  )
  select * from page where coalesce(bytes_before, 0) <= $5 order by group_id, member_id`

/** The statement that reads what comes next of a resync. */
export function resyncPage({ directoryId, phase, position, startedSequence }: Resync, limits: ResyncStepLimits) {
  const { rows, bytes } = limits
  if (phase === 'members') {
    return { text: members, values: [directoryId, position.groupId, position.memberId, rows, bytes] }
  }
  const text = phase === 'users' ? users : groups
  return { text, values: [directoryId, position.sequence, startedSequence, rows, bytes] } satisfies Statement
}

/** The page of its rows. */
export function resyncPageOf(phase: ResyncPage['phase'], rows: readonly Row[]): ResyncPage {
  switch (phase) {
    case 'users':
      return {
        phase,
        rows: (rows as unknown as UserRow[]).map((row) => ({ sequence: row.sequence, item: userOf(row) })),
      }
    case 'groups':
      return {
        phase,
        rows: (rows as unknown as GroupRow[]).map((row) => ({ sequence: row.sequence, item: groupOf(row) })),
      }
    case 'members':
      return { phase, rows: (rows as unknown as MembershipColumns[]).map(membershipOf) }
  }
}
