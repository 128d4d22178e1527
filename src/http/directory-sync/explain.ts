import type { FastifyInstance } from 'fastify'
import { verdicts } from '../../diagnostics/explain/decision.ts'
import { ExplainInput } from '../../diagnostics/explain/explain.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import { TimelineEntrySchema } from './requests.ts'
import { envelope, routeOptions } from './schemas.ts'

const ExplanationSchema = Type.Object(
  {
    verdict: Type.Enum(verdicts, { description: 'Where the user or group got stuck.' }),
    at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When what decides happened; null when nothing has happened.',
    }),
    sentence: Type.String({ description: 'What was seen, and when. You can send it to the customer.' }),
    advice: Type.String({ description: 'What you should do.' }),
    for_customer: Type.String({ description: "What was seen and what to do, for the customer's administrator." }),
    subject: Type.Union(
      [Type.Object({ type: Type.Enum(['User', 'Group']), id: Type.String(), name: Type.String() }), Type.Null()],
      { description: 'The user or group that is stored now.' },
    ),
    directory: Type.Object({
      id: Type.String(),
      name: Type.String(),
      tenant: Type.String(),
      product: Type.String(),
      type: Type.String(),
    }),
    evidence: Type.Array(TimelineEntrySchema, { description: 'The newest entries of its timeline.' }),
  },
  { title: 'Explanation' },
)

/** Explains why a user or group did not arrive. The parent plugin has authorized the caller. */
export function addExplainRoutes(app: FastifyInstance, { service: { explain } }: HttpContext): void {
  app.get(
    '/explain',
    routeOptions('query', 'Explain why a user or group did not arrive', {
      operationId: 'explainSubject',
      querystring: ExplainInput,
      response: envelope(ExplanationSchema),
    }),
    async ({ query }) => dataResponse(await explain.explain(query)),
  )
}
