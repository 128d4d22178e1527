import { eventHoldReasons } from '../../delivery/hold/hold-store.ts'
import { eventTypes } from '../../directory/event.ts'
import type { NoticeType } from '../../directory/operator-notice.ts'
import { noticeTypes } from '../../directory/operator-notice.ts'
import type { Properties, Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { JsonObject } from '../../scim/json.ts'
import { exampleId } from '../directory-sync/schemas.ts'
import { webhookParameterReferences } from './webhooks.ts'

const time = Type.String({ format: 'date-time' })
const runId = { run_id: Type.String({ examples: [exampleId('5001')] }) }
const reason = { reason: Type.Union([Type.String(), Type.Null()], { description: 'The error of the run.' }) }

/** The meaning of every type of notice, and the further fields of its data. */
const noticeParts: Readonly<Record<NoticeType, readonly [meaning: string, details: Properties]>> = {
  'directory.delivery_paused': [
    'Delivery is paused, because the endpoint is gone or keeps failing.',
    {
      reason: Type.Enum(['gone', 'failing']),
      sequence: Type.Integer({ description: 'Of the next event.', examples: [7] }),
      failing_since: time,
    },
  ],
  'directory.held': [
    'More users or memberships were removed than the removal limit allows, too few users keep a role, or the first users wait until they are linked.',
    {
      reason: Type.Enum(eventHoldReasons),
      removals: Type.Integer({ examples: [4000] }),
      active_users: Type.Integer({ examples: [4120] }),
      first_sequence: Type.Integer({ description: 'Of the first event that is held.', examples: [58213] }),
      role: Type.Optional(Type.String({ description: 'Only for the reason roles; so are the next two.' })),
      role_users: Type.Optional(Type.Integer()),
      keep_at_least: Type.Optional(Type.Integer()),
    },
  ],
  'directory.unauthorized': [
    'The identity provider sends a wrong secret.',
    { failures: Type.Integer({ description: 'Failed requests in a row.', examples: [5] }), since: time, last_at: time },
  ],
  'directory.event_dead': [
    'The endpoint rejected an event permanently.',
    {
      sequence: Type.Integer({ examples: [7] }),
      event_id: Type.String({ examples: [exampleId('e701')] }),
      event: Type.Enum([...eventTypes]),
      dead_events: Type.Integer({ description: 'How many events are dead; several for a batch.' }),
      reason: Type.String({ examples: ['answered 400'] }),
    },
  ],
  'directory.credential_expiring': [
    'The secret of an OAuth client expires within 30 days.',
    {
      client_id: Type.String({ examples: [exampleId('c001')] }),
      name: Type.Union([Type.String(), Type.Null()]),
      expires_at: time,
      clients: Type.Integer({ description: 'How many expire; the other fields are of the first.' }),
    },
  ],
  'deprovision.overdue': [
    'The product was not notified of a deactivation or deletion in time.',
    {
      user_id: Type.String({ examples: [exampleId('0001')] }),
      sequence: Type.Integer({ examples: [7] }),
      since: time,
      overdue: Type.Integer({ description: 'How many became overdue at once; the other fields are of the first.' }),
    },
  ],
  'sync.failed': ['A sync with Google failed.', { ...runId, ...reason }],
  'sync.held': [
    'A sync with Google holds deletions that need an approval.',
    { ...runId, ...reason, held: Type.Integer({ examples: [120] }) },
  ],
}

const about = {
  directory_id: Type.String({ examples: [exampleId('d101')] }),
  directory_name: Type.String({ examples: ['scim-acme-crm'] }),
  tenant: Type.String({ examples: ['acme'] }),
  product: Type.String({ examples: ['crm'] }),
  message: Type.String({ description: 'What happened and what to do.', examples: ['Delivery is paused.'] }),
}

function noticeSchema(type: NoticeType): Schema {
  const [description, details] = noticeParts[type]
  const properties = {
    type: Type.Literal(type),
    timestamp: time,
    data: Type.Object({ ...about, ...details }, { description: 'What it is about.' }),
  }
  return Type.Object(properties, { title: noticeTitle(type), description })
}

/** `directory.event_dead` becomes `DirectoryEventDeadNotice`. */
function noticeTitle(type: NoticeType): string {
  const words = type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return `${words.join('')}Notice`
}

/** A notice to the operator, in one of the forms that `type` names. */
export const NoticeSchema = Type.Unsafe<object>({
  title: 'OperatorNotice',
  description: 'Something about a directory that the operator should know, in one of the forms that `type` names.',
  oneOf: noticeTypes.map(noticeSchema),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(noticeTypes.map((type) => [type, `#/components/schemas/${noticeTitle(type)}`])),
  },
})

/** The requests that `OPERATOR_WEBHOOK_URL` receives: one webhook for every type of notice. */
export function noticeWebhooks(): JsonObject {
  return Object.fromEntries(noticeTypes.map((type) => [type, { post: notice(type) }]))
}

function notice(type: NoticeType): JsonObject {
  return {
    operationId: `receive${noticeTitle(type)}`,
    tags: ['Notices'],
    summary: noticeParts[type][0],
    security: [],
    parameters: webhookParameterReferences,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${noticeTitle(type)}` } } },
    },
    responses: {
      '2XX': { description: 'The notice was accepted.' },
      '4XX': { description: 'The notice is sent again later.' },
      '5XX': { description: 'The notice is sent again later.' },
    },
  }
}
