import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ReceivedEvent, Receiver } from '../../support/receiver.ts'
import type { Idp } from './idp.ts'

/**
 * Every event that a directory has made until now, as its endpoint got them: once each, in order. A user that is created
 * last tells when all are there, and is left out.
 */
export async function eventsUntilNow(receiver: Receiver, directoryId: string, idp: Idp): Promise<ReceivedEvent[]> {
  const last = `last-${randomUUID()}`
  const id = await idp.createUser(last)
  const has = () => receiver.events(directoryId).some(({ data }) => data.id === id)
  await receiver.until(has, `the event of the user ${last}`)
  return withoutRepeats(receiver.events(directoryId)).filter(({ data }) => data.id !== id)
}

/**
 * The events without those that came again. Fails unless they came in the order of their sequence numbers from 1 on,
 * none left out, and each repeat is what came the first time.
 */
export function withoutRepeats(received: readonly ReceivedEvent[]): ReceivedEvent[] {
  const events: ReceivedEvent[] = []
  for (const event of received) {
    const known = events[event.sequence - 1]
    if (known !== undefined) assert.deepEqual(event, known, `event ${event.sequence} is another the second time`)
    else {
      assert.equal(event.sequence, events.length + 1, 'an event was left out')
      events.push(event)
    }
  }
  return events
}

/** How many events there are of each type. */
export function countByType(events: readonly ReceivedEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { event } of events) counts[event] = (counts[event] ?? 0) + 1
  return counts
}
