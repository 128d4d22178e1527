import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ReceivedEvent, Receiver } from '../../support/receiver.ts'
import type { Idp } from './idp.ts'

/**
 * Every event of a directory until now, as its endpoint received them: once each, in order. A last user, whose event is
 * left out, shows that all have arrived.
 */
export async function eventsUntilNow(receiver: Receiver, directoryId: string, idp: Idp): Promise<ReceivedEvent[]> {
  const last = `last-${randomUUID()}`
  const id = await idp.createUser(last)
  const has = () => receiver.events(directoryId).some(({ data }) => data.id === id)
  await receiver.until(has, `the event of the user ${last}`)
  return withoutRepeats(receiver.events(directoryId)).filter(({ data }) => data.id !== id)
}

/**
 * The events without repeated deliveries. Fails unless they arrived in the order of their sequence numbers, from 1,
 * without a gap, and each repeat is identical to the first delivery.
 */
export function withoutRepeats(received: readonly ReceivedEvent[]): ReceivedEvent[] {
  const events: ReceivedEvent[] = []
  for (const event of received) {
    const known = events[event.sequence - 1]
    if (known !== undefined) assert.deepEqual(event, known, `event ${event.sequence} differs when it is repeated`)
    else {
      assert.equal(event.sequence, events.length + 1, 'an event is missing')
      events.push(event)
    }
  }
  return events
}

/** The number of events of each type. */
export function countByType(events: readonly ReceivedEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { event } of events) counts[event] = (counts[event] ?? 0) + 1
  return counts
}
