import type { FastifyInstance } from 'fastify'
import { actionKinds, verdicts } from '../../diagnostics/explain/decision.ts'
import { ExplainInput } from '../../diagnostics/explain/explain.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import { TimelineEntrySchema } from './requests.ts'
import { DomainAllowedSchema, envelope, exampleId, ReturnedFromSchema, routeOptions } from './schemas.ts'

const DirectorySchema = Type.Named('DirectoryReference', 'A directory.', {
  id: Type.String({ description: 'The id of the directory.', examples: [exampleId('d101')] }),
  name: Type.String({ description: 'The name of the directory.', examples: ['scim-acme-crm'] }),
  tenant: Type.String(),
  product: Type.String(),
  type: Type.String({ description: 'The provider type.', examples: ['okta-scim-v2'] }),
})

const CandidateSchema = Type.Named('ExplainCandidate', 'A user or group that the subject may mean.', {
  type: Type.Union([Type.Enum(['User', 'Group']), Type.Null()], {
    description: 'Null when requests named it without saying what it is.',
  }),
  id: Type.Union([Type.String(), Type.Null()], {
    description: 'Send it as `subject`, with the `directoryId`, to ask for this one; null when it was never stored.',
  }),
  name: Type.String({ description: 'The present name, or the name in the query.' }),
  directory: DirectorySchema,
  verdict: Type.Union([Type.Enum(verdicts), Type.Null()], {
    description: 'Null when there are so many candidates that this one was not explained.',
  }),
  at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When what decides happened; without a verdict, when its newest record was made.',
  }),
})

const SearchedSchema = Type.Named('SearchedScope', 'What was searched.', {
  directories: Type.Integer({ description: 'The number of directories in the scope.' }),
  complete: Type.Boolean({ description: 'Whether all of them could be searched.' }),
  requests_since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Requests are kept since then; null while the request log is off.',
  }),
})

const ExplanationSchema = Type.Named('Explanation', 'Why a user or group did not arrive.', {
  verdict: Type.Enum(verdicts, { description: 'Where the user or group got stuck.' }),
  at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When what decides happened; null when nothing has happened.',
  }),
  sentence: Type.String({
    description: 'What was seen, and when. You can send it to the customer.',
    examples: ['The identity provider never sent bjensen@acme.example.'],
  }),
  advice: Type.String({ description: 'What you should do.', examples: ['Ask the customer to assign the user.'] }),
  action: Type.Union(
    [
      Type.Object({
        kind: Type.Enum(actionKinds),
        directory_id: Type.String(),
        sequence: Type.Optional(Type.Integer({ description: 'The event to send again.' })),
        request_id: Type.Optional(Type.String({ description: 'The request to show.' })),
        call: Type.String({
          description: 'The method, path and body of the call; the path begins behind `/api/v1/directory-sync`.',
          examples: [`POST /${exampleId('d101')}/resume`],
        }),
      }),
      Type.Null(),
    ],
    { description: 'The call of the API that the advice asks for; null when it is not a single one.' },
  ),
  for_customer: Type.String({
    description: "What was seen and what to do, for the customer's administrator.",
    examples: ['Assign bjensen@acme.example to the application.'],
  }),
  subject: Type.Union(
    [
      Type.Object({
        type: Type.Enum(['User', 'Group']),
        id: Type.String(),
        name: Type.String(),
        returned_from: Type.Optional(ReturnedFromSchema),
        domain_allowed: Type.Optional(DomainAllowedSchema),
      }),
      Type.Null(),
    ],
    { description: 'The user or group that is stored now.' },
  ),
  directory: Type.Union([DirectorySchema, Type.Null()], {
    description: 'The directory that the verdict is about; null when none of several directories knows the subject.',
  }),
  evidence: Type.Array(TimelineEntrySchema, { description: 'The newest entries of its timeline.' }),
  candidates: Type.Array(CandidateSchema, {
    description:
      'The users and groups that the subject may mean, at most 100; the first one is that of the verdict. Empty when none is known.',
  }),
  has_more_candidates: Type.Boolean({ description: 'Whether there are more candidates.' }),
  searched: SearchedSchema,
})

/** Explains why a user or group did not arrive. The parent plugin has authorized the caller. */
export function addExplainRoutes(app: FastifyInstance, { service: { explain } }: HttpContext): void {
  app.get(
    '/explain',
    routeOptions('query', 'Explain why a user or group did not arrive', {
      operationId: 'explainSubject',
      description:
        'The scope is a directory, a tenant and product, a product, or everything that the API key may read, in one call.',
      querystring: ExplainInput,
      response: envelope(ExplanationSchema),
    }),
    async ({ query }) => dataResponse(await explain.explain(query)),
  )
}
