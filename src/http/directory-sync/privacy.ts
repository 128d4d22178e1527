import type { FastifyInstance } from 'fastify'
import { Type } from '../../inputs/json-schema.ts'
import { EraseInput, ErasuresInput, PersonInput } from '../../privacy/inputs.ts'
import { clientSignal } from '../admission.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, pageResponse, sendJson } from '../responses.ts'
import { envelope, exampleId, routeOptions } from './schemas.ts'

const count = (description: string) => Type.Integer({ description, examples: [1] })

const ErasedPlacesSchema = Type.Named('ErasedPlaces', 'The number of changed and removed rows of each kind.', {
  users: count('Users that were removed, and others that referred to the person.'),
  groups: count('Groups that referred to the person.'),
  events: count('Events without the person from now on.'),
  dead_events: count('Reasons of dead events.'),
  deliveries: count('Recorded deliveries, and attempts to deliver.'),
  requests: count('Requests in the request log.'),
  sync_runs: count('Sync runs whose error named the person.'),
  holds: count(
    'Removals that are counted, open deprovisionings, notices, setup links, and accounts that are to be linked.',
  ),
  audit: count('Entries of the audit trail.'),
})

const nullableText = Type.Union([Type.String(), Type.Null()])

const ErasureBlockerSchema = Type.Named('ErasureBlocker', 'What must be done before a person can be erased.', {
  reason: Type.Enum(['user-active', 'directory-held']),
  directory_id: Type.String(),
  directory_name: Type.String({ examples: ['Okta of Acme'] }),
  user_id: nullableText,
})

const ErasureSchema = Type.Named('Erasure', 'An erasure of a person.', {
  erasure_id: Type.Union([Type.String({ examples: [exampleId('e5a1')] }), Type.Null()], {
    description: 'Null in a dry run.',
  }),
  at: Type.String({ format: 'date-time' }),
  places: ErasedPlacesSchema,
  receipt: Type.Union([Type.String(), Type.Null()], {
    description: 'Proves the erasure; null in a dry run.',
    examples: ['eyJhbGciOiJFZERTQSJ9.e30.mV0Zb2Xl'],
  }),
  subject_key: Type.Union([Type.String(), Type.Null()], {
    description:
      'With it, the holder of the receipt can check whom it is about. It is only returned here; null in a dry run.',
    examples: ['Zb2Xl4oYwT3rK9sPqJ7uH'],
  }),
  blockers: Type.Optional(
    Type.Array(ErasureBlockerSchema, { description: 'Only of a dry run: for what an erasure would be refused now.' }),
  ),
})

const ListedErasureSchema = Type.Named('ListedErasure', 'An erasure in the list.', {
  erasure_id: Type.String({ description: 'The id of the erasure.', examples: [exampleId('e5a1')] }),
  at: Type.String({ format: 'date-time', description: 'When it was complete.' }),
  started_at: Type.String({ format: 'date-time' }),
  tenant: Type.String(),
  product: Type.String(),
  by: Type.Object({ kind: Type.String(), id: nullableText, name: nullableText }, { description: 'Who asked for it.' }),
  reason: nullableText,
  places: ErasedPlacesSchema,
  receipt: Type.String({
    description: 'A JWS that proves the erasure, without personal data.',
    examples: ['eyJhbGciOiJFZERTQSJ9.e30.mV0Zb2Xl'],
  }),
})

const PersonalDataSchema = Type.Named('PersonalData', 'Everything that is held about a person.', {
  subject: Type.String(),
  tenant: Type.String(),
  product: Type.String(),
  exported_at: Type.String({ format: 'date-time', description: 'When it was exported.' }),
  users: Type.Array(
    Type.Object({
      id: Type.String(),
      directory_id: Type.String(),
      is_deleted: Type.Boolean({ description: 'Whether it was deleted.' }),
    }),
    { description: 'The users who are the person.' },
  ),
  records: Type.Array(
    Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      properties: { directory_id: { type: 'string' } },
    }),
    {
      description:
        'Everything that is stored about the person, each with its `directory_id` and one more field that says what it is, such as `user`, `membership`, `event`, `delivery` or `request`.',
    },
  ),
})

/** Export and erasure of one person. The parent plugin has authorized the caller. */
export function addPrivacyRoutes(app: FastifyInstance, { service: { privacy } }: HttpContext): void {
  app.post(
    '/privacy/export',
    routeOptions('body', 'Export everything that is held about one person', {
      operationId: 'exportPerson',
      body: PersonInput,
      response: envelope(PersonalDataSchema),
      errors: [409],
    }),
    async ({ body, caller }, reply) => sendJson(reply, await privacy.export(body, caller, clientSignal(reply))),
  )
  app.post(
    '/privacy/erase',
    routeOptions('body', 'Erase one person from everything that is stored', {
      operationId: 'erasePerson',
      description:
        'The person must not be active. The last event about the person is `user.erased`. The call takes as long as reading everything that is stored about the tenant; an interrupted one is finished at the next start.',
      body: EraseInput,
      response: envelope(ErasureSchema),
      errors: [409],
    }),
    async ({ body, id: requestId, caller }) => dataResponse(await privacy.erase(body, requestId, caller)),
  )
  app.get(
    '/privacy/erasures',
    routeOptions('query', 'List the erasures of a tenant and product, or all, newest first', {
      operationId: 'listErasures',
      querystring: ErasuresInput,
      response: envelope(Type.Array(ListedErasureSchema)),
    }),
    async ({ query }) => pageResponse(await privacy.erasures(query)),
  )
}
