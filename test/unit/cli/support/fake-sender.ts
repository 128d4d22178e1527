import { Webhook } from 'standardwebhooks'
import type { JsonObject } from '../../../../src/scim/json.ts'

/** Sends a directory's events, one after the other, to the endpoint of its current settings. */
export function createSender(directoryId: string, settings: () => JsonObject) {
  let sequence = 0
  let previous = Promise.resolve()
  return (type: string, data: JsonObject): void => {
    sequence += 1
    const event = { id: `evt-${directoryId}-${sequence}`, sequence, event: type, directory_id: directoryId }
    const payload = JSON.stringify({ ...event, created_at: new Date().toISOString(), data })
    previous = previous.then(() => post(settings(), event.id, payload)).catch(() => {})
  }
}

async function post(settings: JsonObject, id: string, payload: string): Promise<void> {
  const { webhook_url, webhook_secret } = settings
  if (typeof webhook_url !== 'string') return
  await postSigned(webhook_url, String(webhook_secret), id, payload)
}

/** POSTs a payload with the headers of Standard Webhooks and returns the HTTP status. */
export async function postSigned(url: string, secret: string, id: string, payload: string): Promise<number> {
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, payload),
  }
  const response = await fetch(url, { method: 'POST', headers, body: payload })
  await response.arrayBuffer()
  return response.status
}
