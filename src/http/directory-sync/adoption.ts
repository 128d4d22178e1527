import type { FastifyInstance } from 'fastify'
import { ApplyAdoptionInput } from '../../adoption/adoptions.ts'
import type { PlanEntry } from '../../adoption/match.ts'
import { conflictReasons, matchKeys } from '../../adoption/match.ts'
import { PlanInput } from '../../adoption/plan-page.ts'
import { AdoptedAccountInput } from '../../adoption/sent-accounts.ts'
import type { Properties } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { clientSignal } from '../admission.ts'
import type { HttpContext } from '../context.ts'
import { acceptJsonObjects, jsonObjects, ndjsonType } from '../json-objects.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, exampleId, IdParams, Nothing, pagedEnvelope, routeOptions } from './schemas.ts'

const accountId = Type.String({ description: 'The id of the account in your product.', examples: ['acct_8231'] })
const count = (description: string) => Type.Integer({ description, examples: [3] })

const AdoptionUserSchema = Type.Named('AdoptionUser', 'A user of the directory.', {
  id: Type.String({ description: 'The id of the user.', examples: [exampleId('a001')] }),
  user_name: Type.String({ description: 'The userName.', examples: ['bjensen@acme.example'] }),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  active: Type.Boolean(),
})

const entry = <const K extends PlanEntry['kind'], P extends Properties>(
  kind: K,
  title: string,
  description: string,
  properties: P,
) => Type.Named(title, description, { kind: Type.Literal(kind), ...properties })
const both = { account_id: accountId, user: AdoptionUserSchema }
const EntrySchema = Type.Union([
  entry('linked', 'LinkedAccount', 'An account that is linked to its user already.', both),
  entry('link', 'AccountToLink', 'An account that the plan links to a user.', {
    ...both,
    by: Type.Enum(matchKeys, { description: 'What the account and the user have in common.', examples: ['email'] }),
  }),
  entry('create', 'UserToCreate', 'A user without an account: your product creates one.', { user: AdoptionUserSchema }),
  entry('unmatched', 'UnmatchedAccount', 'An account that no user has.', { account_id: accountId }),
  entry('conflict', 'AdoptionConflict', 'Accounts and users that match in several ways: none of them is linked.', {
    reason: Type.Enum(conflictReasons, {
      description:
        'The account matches several users; several accounts match the user; the user is linked to another account; the account is linked to another user.',
    }),
    account_ids: Type.Array(Type.String(), {
      description: 'The accounts, also the other one that the user is linked to.',
      examples: [['acct_8231', 'acct_9001']],
    }),
    users: Type.Array(AdoptionUserSchema, { description: 'The users; at most about ten.' }),
    message: Type.String({ description: 'What is wrong, and what to do.' }),
  }),
])

const PlanSchema = Type.Named('AdoptionPlan', 'How the accounts of the product match the users of the directory.', {
  version: Type.Union([Type.String(), Type.Null()], {
    description: 'Changes when the links of the plan do; null without a list.',
    examples: ['3f'.repeat(32)],
  }),
  state: Type.Enum(['none', 'ready', 'applying'], {
    description: 'none: no list was sent, or its plan was applied; applying: the links are being made.',
  }),
  accounts: count('The number of accounts in the list.'),
  sent_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the list was sent; null without one.',
  }),
  counts: Type.Named('AdoptionCounts', 'The number of entries of each kind.', {
    linked: count('Accounts that are linked to their users already.'),
    link: count('Accounts that the plan links.'),
    create: count('Users who are nobody’s account.'),
    unmatched: count('Accounts that are no user of the directory.'),
    conflict: count('Conflicts.'),
  }),
  entries: Type.Array(EntrySchema, {
    description: 'First those of the accounts, by their ids, then the users to create.',
  }),
})

const listSchema = Type.Array(AdoptedAccountInput)

/** The adoption of the product's accounts by a directory. The parent plugin has authorized the caller. */
export function addAdoptionRoutes(
  app: FastifyInstance,
  { service: { adoptions, serviceProvider } }: HttpContext,
): void {
  const { slices } = serviceProvider
  void app.register(async (streamed) => {
    acceptJsonObjects(streamed)
    streamed.post<ById>(
      '/:id/adoption',
      routeOptions('directory', 'Send the accounts of your product that are to be linked to users', {
        operationId: 'sendAdoption',
        description:
          'At most 200,000 accounts, as a JSON array or as NDJSON. They replace those that were sent before, and are forgotten when the plan was applied, or after 30 days.',
        params: IdParams,
        body: Type.Unsafe({
          content: { 'application/json': { schema: listSchema }, [ndjsonType]: { schema: listSchema } },
        }),
        response: envelope(
          Type.Named('AdoptionSize', 'The list that was stored.', { accounts: count('Their number.') }),
        ),
        errors: [409],
      }),
      async (request) => {
        const { id } = request.params
        return dataResponse(await adoptions.send(id, jsonObjects(request, slices, id)))
      },
    )
  })
  app.get<ById>(
    '/:id/adoption',
    routeOptions('directory', 'Get the plan that links accounts of your product to users', {
      operationId: 'getAdoption',
      params: IdParams,
      querystring: PlanInput,
      response: pagedEnvelope(PlanSchema),
      errors: [409],
    }),
    async ({ params, query }, reply) => {
      const { plan, pageToken } = await adoptions.plan(params.id, query, clientSignal(reply))
      return { ...dataResponse(plan), ...(pageToken === undefined ? {} : { pageToken }) }
    },
  )
  app.post<ById>(
    '/:id/adoption/apply',
    routeOptions('directory', 'Apply a plan: link its accounts to users, in the background', {
      operationId: 'applyAdoption',
      params: IdParams,
      body: ApplyAdoptionInput,
      response: envelope(
        Type.Named('AppliedAdoption', 'The plan that is being applied.', {
          version: Type.String({ examples: ['3f'.repeat(32)] }),
          links: count('The number of links.'),
          state: Type.Literal('applying', { description: 'The state of the plan.' }),
        }),
      ),
      status: 202,
      errors: [409],
    }),
    async ({ params, body, caller }, reply) => {
      const applied = await adoptions.apply(params.id, body, caller, clientSignal(reply))
      return reply.code(202).send(dataResponse(applied))
    },
  )
  app.delete<ById>(
    '/:id/adoption',
    routeOptions('directory', 'Forget the accounts that were sent', {
      operationId: 'deleteAdoption',
      params: IdParams,
      response: Nothing,
      errors: [409],
    }),
    async ({ params }) => {
      await adoptions.forget(params.id)
      return dataResponse({})
    },
  )
}
