import type { EventType, StoredEvent } from '../../directory/event.ts'
import type { Database } from './database.ts'

const firstAt = 100
const growth = 4

/** The tables that grow with each event of a type. */
const growing: ReadonlyMap<EventType, string> = new Map([
  ['user.created', 'users, user_emails, events'],
  ['group.created', 'groups, list_counts'],
  ['group.user_added', 'members, list_counts'],
])

/** Keeps the planner informed while this process fills tables. */
export interface Statistics {
  /** Notes events that were stored with their changes. */
  noteEvents(events: readonly StoredEvent[]): void
}

/**
 * PostgreSQL plans by statistics that it gathers by itself, but a minute or more later: during an initial sync it would
 * take tables of thousands of rows for empty ones, and read whole groups where it should look up one member. So they are
 * gathered after the first hundred rows that this process adds to a table, and each time it has added four times as many.
 */
export function createStatistics({ query }: Database): Statistics {
  const added = new Map<EventType, number>()
  const due = new Map<EventType, number>()

  function note(eventType: EventType, tables: string): void {
    const rows = (added.get(eventType) ?? 0) + 1
    added.set(eventType, rows)
    if (rows < (due.get(eventType) ?? firstAt)) return
    due.set(eventType, rows * growth)
    // A failure costs speed only; whatever is wrong with the database, the requests report.
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
