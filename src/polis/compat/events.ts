import { polisData } from './resources.ts'

type Fields = Readonly<Record<string, unknown>>

/** An event as Polis sends it, with the further fields of Rollcall. */
export function polisEvent<T extends Fields>(event: T): T {
  const { event: eventType, data } = event
  if (typeof eventType !== 'string' || typeof data !== 'object' || data === null) return event
  return { ...event, data: polisData(eventType, data as Fields) }
}

/** The body of a delivery, one event or a list of them, as Polis sends it. */
export function polisPayload(body: string): string {
  const sent: Fields | readonly Fields[] = JSON.parse(body)
  return JSON.stringify(Array.isArray(sent) ? sent.map(polisEvent) : polisEvent(sent as Fields))
}

/** An entry of the delivery log as Polis returns it, with the further fields of Rollcall. Without a response the status is 500. */
export function polisLog(delivery: Fields): Fields {
  return { ...delivery, status_code: delivery['status_code'] ?? 500 }
}
