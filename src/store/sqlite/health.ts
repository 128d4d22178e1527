import type { DatabaseSync } from 'node:sqlite'
import type { HealthStore, StoredHealth } from '../../diagnostics/health/health-store.ts'
import { maxCounted } from '../../diagnostics/health/health-store.ts'
import {
  activityColumns,
  activityValues,
  addsActivity,
  causeColumns,
  decodeHealth,
  healthColumns,
  mayChangeHealth,
} from '../health.ts'
import { checkHealth } from '../health-checks.ts'
import type { GroupCommit } from './group-commit.ts'
import type { RunStatement } from './sql-database.ts'

/** The health of directories on SQLite. */
export function sqliteHealth(db: DatabaseSync, { write }: GroupCommit, run: RunStatement): HealthStore {
  const stored = db.prepare(`select ${causeColumns} from directory_activity where directory_id = ?`)
  const add = db.prepare(`
    insert into directory_activity as a (${activityColumns.join(', ')})
    select ${activityColumns.map((_, index) => `?${index + 1}`).join(', ')}
    from directories d where d.id = ?1 and d.deleted = 0 ${addsActivity} returning ${causeColumns}`)
  const health = db.prepare(`
    select ${healthColumns},
      (select count(*) from (
        select 1 from dead_events e where e.directory_id = d.id and e.target = 'endpoint' limit ${maxCounted})) as dead_events,
      (select e.died_at from dead_events e where e.directory_id = d.id and e.target = 'endpoint'
        order by e.sequence limit 1) as dead_since,
      (select e.created_at from events e where s.last_sequence > coalesce(p.delivered_sequence, 0)
        and e.directory_id = d.id and e.sequence = coalesce(p.delivered_sequence, 0) + 1) as oldest_undelivered_at,
      o.overdue, o.overdue_since
    from directories d join directory_state s on s.directory_id = d.id
    left join holds h on h.directory_id = d.id
    left join directory_activity a on a.directory_id = d.id
    left join delivery_streams p on p.directory_id = d.id and p.target = 'endpoint'
    join (
      select count(*) as overdue, min(received_at) as overdue_since from (
        select received_at from deprovisionings where directory_id = ?1 order by sequence limit ${maxCounted})
      where received_at <= ?2) o
    where d.id = ?1 and d.deleted = 0`)

  return {
    recordActivity: (activities) =>
      write(() => {
        for (const activity of activities) {
          const before = stored.get(activity.directoryId)
          const after = add.get(...activityValues(activity))
          if (after !== undefined && mayChangeHealth(before, after)) run(checkHealth(activity.directoryId))
        }
      }),
    async storedHealth(ids, overdueUntil) {
      const found = new Map<string, StoredHealth>()
      for (const id of ids) {
        const [row, ...others] = health.all(id, overdueUntil)
        if (row !== undefined) found.set(id, decodeHealth(row, ...others))
      }
      return found
    },
  }
}
