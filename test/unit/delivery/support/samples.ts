import type { EndpointResponse, NoResponse } from '../../../../src/delivery/attempt.ts'
import type { Directory, Endpoint } from '../../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../../src/directory/event.ts'
import { toJsonText } from '../../../../src/scim/json-text.ts'

export const endpointSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export function someEndpoint(url: string, secret = endpointSecret): Endpoint {
  return { url, secret, previousSecret: undefined }
}

export function someDirectory(given: Partial<Directory> = {}): Directory {
  return {
    id: 'd1',
    name: 'scim-acme-crm',
    tenant: 'acme',
    product: 'crm',
    directoryType: 'okta-scim-v2',
    scimSecret: 'scim-secret',
    previousScimSecret: undefined,
    endpoint: someEndpoint('http://127.0.0.1:9/events'),
    google: undefined,
    logWebhookEvents: false,
    logScimRequests: false,
    uniqueGroupNames: false,
    deactivated: false,
    createdAt: 0,
    revision: 1,
    ...given,
  }
}

export function someEvent(given: Partial<StoredEvent> = {}): StoredEvent {
  const { sequence = 1 } = given
  return {
    id: `event-${sequence}`,
    sequence,
    eventType: 'user.created',
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    requestId: 'request-1',
    data: toJsonText({ id: 'u1', first_name: 'Zoë', raw: { userName: 'zoe' } }),
    ...given,
  }
}

export function response(status: number, retryAfter: string | null = null): EndpointResponse {
  return { kind: 'response', status, retryAfter, body: '', latencyMs: 1 }
}

export function failed(reason: string): NoResponse {
  return { kind: 'failed', reason, latencyMs: 1 }
}
