import type { StoredEvent } from '../../../src/directory/event.ts'
import type { EventStore } from '../../../src/events/store.ts'

/** Every event that a store has of a directory. */
export async function storedEvents(store: Pick<EventStore, 'eventsAfter'>, directoryId: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const part = await store.eventsAfter(directoryId, events.at(-1)?.sequence ?? 0, 1000)
    if (part.length === 0) return events
    events.push(...part)
  }
}
