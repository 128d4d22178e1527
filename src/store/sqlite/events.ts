import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { EventStore } from '../../delivery/event-store.ts'
import type { ChangeBehavior } from '../../directory/behaviors.ts'
import { behaviorsIn, isChange } from '../../directory/behaviors.ts'
import type { Cause, EventDraft, StoredEvent } from '../../directory/event.ts'
import { observes } from '../behaviors.ts'
import {
  decodeEvent,
  decodeEventTime,
  firstSequenceAt,
  maxEventBytes,
  numberEvents,
  storedEventColumns,
} from '../events.ts'
import { checkHealth } from '../health-checks.ts'
import type { CountedState } from '../removals.ts'
import { decodeCountedState } from '../removals.ts'
import type { Row } from '../row.ts'
import { boolean, integer, optionalInteger, text } from '../row.ts'
import { isMarked, marksWork } from '../streams.ts'
import { addVolume, minuteOf } from '../volumes.ts'
import { readBounded } from './bounded-rows.ts'
import type { NumberedDirectory } from './row-key.ts'
import { eventKeysAfter, rowKey } from './row-key.ts'
import { sqliteText } from './sql-database.ts'

/** A directory as a transaction that records events finds it. */
export interface DirectoryState extends NumberedDirectory, CountedState {
  /** Whether polling and retention know that it has events. */
  readonly isMarked: boolean
  /** The time of the last deletion of a user, in Unix milliseconds. */
  readonly userDeletedAt: number | undefined
}

/** The columns of a row for `decodeDirectoryState`. */
export const directoryStateColumns = `number, last_sequence, discarded_events, active_users, memberships,
  held_from, ${isMarked} as is_marked,
  last_change_at is not null as has_changed, last_user_deleted_at`

export function decodeDirectoryState(id: string, row: Row): DirectoryState {
  return {
    id,
    number: integer(row, 'number'),
    ...decodeCountedState(row),
    isMarked: boolean(row, 'is_marked'),
    userDeletedAt: optionalInteger(row, 'last_user_deleted_at'),
  }
}

/** The sequence number of a row that the next event creates, which is its place in lists. */
export function nextRowSequence({ lastSequence, discardedEvents }: DirectoryState): number {
  return lastSequence + discardedEvents + 1
}

/** Records events in the transaction of their change, and returns them with their ids and sequence numbers. */
export type RecordEvents = (directory: DirectoryState, drafts: readonly EventDraft[], cause: Cause) => StoredEvent[]

/** Stores numbered events. */
export type InsertEvents = (directory: NumberedDirectory, events: readonly StoredEvent[]) => void

export function createInsertEvents(db: DatabaseSync): InsertEvents {
  const insert = db.prepare(`
    insert into events (row_key, directory_id, sequence, id, event_type, created_at, request_id, trace_context, group_id,
      data, changes)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return ({ id: directoryId, number }, events) => {
    for (const event of events) {
      const { sequence, id, eventType, createdAt, requestId, data } = event
      const { traceContext = null, groupId = null, changes = null } = event
      const key = rowKey(number, sequence)
      insert.run(key, directoryId, sequence, id, eventType, createdAt, requestId, traceContext, groupId, data, changes)
    }
  }
}

export function createRecordEvents(db: DatabaseSync): RecordEvents {
  const insertEvents = createInsertEvents(db)
  const advance = createAdvance(db)
  return (directory, drafts, cause) => {
    const events = numberEvents(drafts, directory.lastSequence, cause)
    const [first] = events
    if (first === undefined) return events
    insertEvents(directory, events)
    const lastSequence = directory.lastSequence + events.length
    const shown = isChange(first) ? { behaviors: behaviorsIn(events), at: cause.at } : undefined
    advance(directory, lastSequence, { shown, at: cause.at })
    return events
  }
}

/** The behaviors of the identity provider that a commit shows, and the time. */
export interface ShownBehaviors {
  readonly behaviors: readonly ChangeBehavior[]
  readonly at: number
}

/** The changes of a directory's state in a commit of events, besides the last sequence number. */
interface Advanced {
  /** The time of the commit, in Unix milliseconds. */
  readonly at: number
  readonly shown?: ShownBehaviors | undefined
  /** The number of memberships that the directory gains; negative when it loses some. */
  readonly memberships?: number
}

/** Moves the last sequence number of a directory to that of its last event, counts the events, and notes what they show. */
export type Advance = (
  directory: Pick<DirectoryState, 'id' | 'isMarked' | 'hasChanged' | 'lastSequence'>,
  lastSequence: number,
  advanced: Advanced,
) => void

/** Statements are prepared at the first use of their combination of behaviors. */
export function createAdvance(db: DatabaseSync): Advance {
  const statements = new Map<string, StatementSync>()
  const count = db.prepare(sqliteText(addVolume))
  const check = db.prepare(sqliteText(checkHealth('').text))

  function statementFor(isMarked: boolean, behaviors: readonly ChangeBehavior[] | undefined): StatementSync {
    const key = `${isMarked} ${behaviors?.join()}`
    const prepared = statements.get(key)
    if (prepared !== undefined) return prepared
    const change = behaviors === undefined ? '' : `, last_change_at = ?4${observes(behaviors, () => '?4')}`
    // It writes to the indexes of the marks even if they stay the same.
    const mark = isMarked ? '' : `, ${marksWork}`
    const statement = db.prepare(`
      update directory_state set last_sequence = ?1, memberships = memberships + ?2 ${mark}${change}
      where directory_id = ?3`)
    statements.set(key, statement)
    return statement
  }

  return (directory, lastSequence, { shown, at, memberships = 0 }) => {
    const { id, isMarked, hasChanged, lastSequence: before } = directory
    count.run(id, minuteOf(at), lastSequence - before, 0)
    const statement = statementFor(isMarked, shown?.behaviors)
    const values = [lastSequence, memberships, id] as const
    if (shown === undefined) {
      statement.run(...values)
      return
    }
    statement.run(...values, shown.at)
    if (!hasChanged) check.run(id)
  }
}

/** Events on SQLite. */
export function sqliteEvents(db: DatabaseSync): Pick<EventStore, 'eventsAfter' | 'sequenceAt'> {
  const after = db.prepare(`
    select ${storedEventColumns} from events e
    where ${eventKeysAfter('e.row_key', '?2')} order by e.row_key limit ?3`)
  const next = db.prepare(`
    select sequence, created_at from events where ${eventKeysAfter('row_key', '?2')} order by row_key limit 1`)
  const last = db.prepare('select last_sequence from directory_state where directory_id = ?')

  return {
    async eventsAfter(directoryId, sequence, limit) {
      const rows = after.iterate(directoryId, sequence, limit)
      return readBounded(rows, maxEventBytes, (row) => text(row, 'data').length).map(decodeEvent)
    },
    async sequenceAt(directoryId, time) {
      const row = last.get(directoryId)
      return firstSequenceAt(row === undefined ? 0 : integer(row, 'last_sequence'), time, async (sequence) => {
        const event = next.get(directoryId, sequence)
        return event && decodeEventTime(event)
      })
    },
  }
}
