import type { EventType } from '../../directory/event.ts'
import type { Schema } from '../../inputs/json-schema.ts'
import type { JsonObject } from '../../scim/json.ts'
import { eventSchemas, eventTitle, personTypes } from '../directory-sync/event-schemas.ts'
import { exampleId } from '../directory-sync/schemas.ts'

/** The headers of a delivery, by their names in `components.parameters`. */
export const webhookParameters: JsonObject = {
  WebhookId: header(
    'webhook-id',
    'The id of the event, the same in every attempt.',
    '01980c5e-8f5c-7a10-9d3c-5b1f0a3ce701',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'The time of the attempt, in Unix seconds.', '1772443800'),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures, separated by spaces; one that is valid is enough: `v1,<base64 of HMAC-SHA256 of id.timestamp.body>`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  DirectoryId: header('rollcall-directory-id', 'The directory.', exampleId('d101')),
  DirectoryTenant: header('rollcall-tenant', 'The tenant of the directory, percent-encoded.', 'acme'),
  DirectoryProduct: header('rollcall-product', 'The product of the directory, percent-encoded.', 'crm'),
}

export const webhookParameterReferences: JsonObject[] = Object.keys(webhookParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

function header(name: string, description: string, example: string): JsonObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

/** The requests that endpoints receive: one webhook for every event type. */
export function webhooks(): JsonObject {
  const entries = Object.entries(eventSchemas) as [EventType, Schema][]
  return Object.fromEntries(entries.map(([type, schema]) => [type, { post: delivery(type, schema) }]))
}

function delivery(type: EventType, schema: Schema): JsonObject {
  const { description } = schema as { readonly description?: string }
  return {
    operationId: `receive${eventTitle(type)}`,
    tags: ['Events'],
    summary: description ?? type,
    description: 'In batch mode, the body is an array of the events that are due, of any type, in their order.',
    security: [],
    parameters: webhookParameterReferences,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodySchema(type) } },
    },
    responses: {
      '2XX': { description: 'The event was accepted.' },
      '4XX': {
        description: 'The event was rejected; after 12 rejections it is set aside. 410 pauses delivery immediately.',
      },
      '5XX': { description: 'The event is sent again later; the events after it wait.' },
    },
  }
}

/** An event; one about a person may be sent when the person is erased already. */
function bodySchema(type: EventType): JsonObject {
  const event = { $ref: `#/components/schemas/${eventTitle(type)}` }
  const isAboutPerson = personTypes.some((one) => one === type)
  return isAboutPerson ? { anyOf: [event, { $ref: '#/components/schemas/ErasedEvent' }] } : event
}
