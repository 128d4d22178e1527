import type { Send } from '../../delivery/attempt.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { eachItem, wholeText } from '../../scim/json-list.ts'
import type { ServiceParts } from '../../service-parts.ts'
import type { Fields } from './paging.ts'
import { pageOf, polisData, polisScope } from './resources.ts'

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

/** Sends no events about directories themselves, which Polis does not have. */
export function withoutDirectoryEvents(send: Send): Send {
  return async (directory, batch, ...attempt) => {
    const [first, ...others] = batch.filter(({ eventType }) => !eventType.startsWith('directory.'))
    if (first === undefined) return { kind: 'response', status: 204, retryAfter: null, body: '', latencyMs: 0 }
    return send(directory, [first, ...others], ...attempt)
  }
}

/** An entry of the delivery log as Polis returns it, with the further fields of Rollcall. Without a response the status is 500. */
export function polisLog(delivery: Fields): Fields {
  return { ...delivery, status_code: delivery['status_code'] ?? 500 }
}

type LogParts = Pick<ServiceParts, 'deliveryLog'>

/** A page of the delivery log, newest first. */
export async function polisDeliveries({ deliveryLog }: LogParts, query: Fields) {
  const { rows, pageToken } = await deliveryLog.list({ ...polisScope(query), ...pageOf(query) })
  const data = (await Array.fromAsync(eachItem(rows), wholeText)).map((row): Fields => polisLog(JSON.parse(row)))
  return pageToken === undefined ? { data } : { data, pageToken }
}

/** An entry of the delivery log; an unknown one is null to Polis. */
export async function polisDelivery({ deliveryLog }: LogParts, id: string, query: Fields): Promise<Fields | null> {
  try {
    return polisLog(JSON.parse(await deliveryLog.get(id, polisScope(query))))
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'resource-not-found') return null
    throw error
  }
}
