import type { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '../../delivery/store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { EventRow } from '../events.ts'
import { eventOf, firstSequenceAt, maxEventBytes } from '../events.ts'
import type { NumberedDirectory } from './row-key.ts'
import { rowKey, rowKeysAfter } from './row-key.ts'

/** The statement that records an event; it runs in the transaction of the change. */
export function eventStatements(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into events (row_key, directory_id, sequence, id, event_type, created_at, request_id, data, changes)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return {
    insertEvent({ id: directoryId, number }: NumberedDirectory, event: StoredEvent): void {
      const { sequence, id, eventType, createdAt, requestId, data, changes } = event
      insert.run(
        rowKey(number, sequence),
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

/** The events themselves, on SQLite. */
export function sqliteEvents(db: DatabaseSync): Pick<EventStore, 'eventsAfter' | 'sequenceAt'> {
  const after = db.prepare(`
    select sequence, id, event_type, created_at, request_id, data, changes from events
    where ${rowKeysAfter('row_key', '?2')} order by row_key limit ?3`)
  const next = db.prepare(`
    select sequence, created_at from events where ${rowKeysAfter('row_key', '?2')} order by row_key limit 1`)
  const last = db.prepare('select last_sequence as n from directory_state where directory_id = ?')

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
    async sequenceAt(directoryId, time) {
      return firstSequenceAt(Number(last.get(directoryId)?.['n'] ?? 0), time, async (sequence) => {
        const row = next.get(directoryId, sequence)
        return row === undefined ? undefined : { sequence: Number(row['sequence']), at: Number(row['created_at']) }
      })
    },
  }
}
