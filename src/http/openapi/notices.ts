import { Type } from '../../directory/json-schema.ts'
import type { NoticeType } from '../../directory/operator-notice.ts'
import { noticeTypes } from '../../directory/operator-notice.ts'
import type { JsonObject } from '../../scim/json.ts'
import { exampleId } from '../directory-sync/schemas.ts'
import { webhookParameterReferences } from './webhooks.ts'

/** A notice to the operator; each type has further fields of `data`. */
export const NoticeSchema = Type.Object(
  {
    type: Type.Enum([...noticeTypes]),
    timestamp: Type.String({ format: 'date-time' }),
    data: Type.Object(
      {
        directory_id: Type.String({ examples: [exampleId('d101')] }),
        directory_name: Type.String({ examples: ['scim-acme-crm'] }),
        tenant: Type.String({ examples: ['acme'] }),
        product: Type.String({ examples: ['crm'] }),
        message: Type.String({ description: 'What happened and what to do.', examples: ['Delivery is paused.'] }),
      },
      { additionalProperties: true },
    ),
  },
  { title: 'OperatorNotice' },
)

const meanings: Readonly<Record<NoticeType, string>> = {
  'directory.delivery_paused': 'Delivery is paused, because the endpoint is gone or keeps failing.',
  'directory.held': 'More users or memberships were removed than the removal limit allows.',
  'directory.unauthorized': 'The identity provider sends a wrong secret.',
  'directory.event_dead': 'The endpoint refused an event for good.',
  'deprovision.overdue': 'The product has not received a deactivation or deletion in time.',
  'sync.failed': 'A sync with Google failed.',
  'sync.held': 'A sync with Google holds deletions that need an approval.',
}

/** The requests that `OPERATOR_WEBHOOK_URL` receives: one webhook for every type of notice. */
export function noticeWebhooks(): JsonObject {
  return Object.fromEntries(noticeTypes.map((type) => [type, { post: notice(type) }]))
}

function notice(type: NoticeType): JsonObject {
  const words = type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return {
    operationId: `receive${words.join('')}Notice`,
    tags: ['Notices'],
    summary: meanings[type],
    security: [],
    parameters: webhookParameterReferences,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/OperatorNotice' } } },
    },
    responses: {
      '2XX': { description: 'The notice was accepted.' },
      '4XX': { description: 'The notice is sent again later.' },
      '5XX': { description: 'The notice is sent again later.' },
    },
  }
}
