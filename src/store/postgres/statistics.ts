import type { EventType, StoredEvent } from '../../directory/event.ts'
import type { Database } from './database.ts'

const firstAt = 100
const growth = 4

/** The tables that get rows with each event of a type. */
const growing: ReadonlyMap<EventType, string> = new Map([
  ['user.created', 'users, user_emails, events'],
  ['group.created', 'groups, list_counts'],
  ['group.user_added', 'members, list_counts'],
])

/** Keeps the planner's statistics up to date while this process fills tables. */
export interface Statistics {
  /** Called with the events of committed changes. */
  noteEvents(events: readonly StoredEvent[]): void
}

/**
 * PostgreSQL gathers statistics a minute or more after rows are added. During an initial sync it would plan for empty
 * tables when there are thousands of rows, and read whole groups to look up one member. So this process runs `analyze`
 * after the first hundred rows that it adds to a table, and again whenever it has added four times as many.
 */
export function createStatistics({ query }: Database): Statistics {
  const added = new Map<EventType, number>()
  const due = new Map<EventType, number>()

  function note(eventType: EventType, tables: string): void {
    const rows = (added.get(eventType) ?? 0) + 1
    added.set(eventType, rows)
    if (rows < (due.get(eventType) ?? firstAt)) return
    due.set(eventType, rows * growth)
    // A failure costs only speed, and requests report any problem with the database.
    query({ text: `analyze ${tables}`, values: [] }).catch(() => {})
  }

  return {
    noteEvents(events) {
      for (const { eventType } of events) {
        const tables = growing.get(eventType)
        if (tables !== undefined) note(eventType, tables)
      }
    },
  }
}
