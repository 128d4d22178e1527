import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../../directory/event.ts'
import type { DeliveryTarget, EventStore } from '../../events/store.ts'
import type { EventRow } from '../event-row.ts'
import { eventOf, maxEventBytes } from '../event-row.ts'
import type { GroupCommit } from './group-commit.ts'
import type { NumberedDirectory } from './place.ts'
import { placeOf, placesBehind } from './place.ts'

/** The statement that records an event; it runs in the transaction of the change. */
export function eventStatements(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into events (place, directory_id, sequence, id, event_type, created_at, request_id, data, changes)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return {
    insertEvent({ id: directoryId, number }: NumberedDirectory, event: StoredEvent): void {
      const { sequence, id, eventType, createdAt, requestId, data, changes } = event
      insert.run(
        placeOf(number, sequence),
        directoryId,
        sequence,
        id,
        eventType,
        createdAt,
        requestId,
        data,
        changes ?? null,
      )
    },
  }
}

/** What delivery reads and notes, on SQLite. */
export function sqliteEvents(db: DatabaseSync, { write }: GroupCommit): EventStore {
  const after = db.prepare(`
    select sequence, id, event_type, created_at, request_id, data, changes from events
    where ${placesBehind('place', '?2')} order by place limit ?3`)
  const position = db.prepare(
    'select delivered_sequence as sequence from delivery_positions where directory_id = ? and target = ?',
  )
  const advance = db.prepare(`
    insert into delivery_positions (directory_id, target, delivered_sequence)
    select id, ?, ? from directories where id = ?
    on conflict (directory_id, target) do update set delivered_sequence = excluded.delivered_sequence
    where excluded.delivered_sequence > delivered_sequence`)
  const behind = `
    from directory_state s join directories d on d.id = s.directory_id
    left join delivery_positions p on p.directory_id = s.directory_id and p.target = :target
    where s.last_sequence > coalesce(p.delivered_sequence, 0) and d.deleted = 0 and d.deactivated = 0
      and (:target <> 'endpoint' or d.endpoint_url is not null)`
  const list = db.prepare(
    `select s.directory_id as id ${behind} and s.directory_id > :after order by s.directory_id limit :limit`,
  )
  const count = db.prepare(
    `select coalesce(sum(s.last_sequence - coalesce(p.delivered_sequence, 0)), 0) as n ${behind}`,
  )

  return {
    async eventsAfter(directoryId, sequence, limit) {
      const events: StoredEvent[] = []
      let bytes = 0
      for (const row of after.iterate(directoryId, sequence, limit)) {
        const event = eventOf(row as unknown as EventRow)
        events.push(event)
        bytes += event.data.length
        if (bytes > maxEventBytes) break
      }
      return events
    },
    async deliveredSequence(directoryId, target) {
      return Number(position.get(directoryId, target)?.['sequence'] ?? 0)
    },
    recordDelivered: (directoryId, target, sequence) =>
      write(() => {
        advance.run(target, sequence, directoryId)
      }),
    async directoriesBehind(target: DeliveryTarget, afterId, limit) {
      return list.all({ target, after: afterId, limit }).map((row) => String(row['id']))
    },
    async countUndelivered(target) {
      return Number(count.get({ target })?.['n'])
    },
  }
}
