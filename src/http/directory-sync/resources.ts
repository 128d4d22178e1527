import type { FastifyInstance } from 'fastify'
import { AccountInput } from '../../directory/account-links.ts'
import {
  GroupListingInput,
  MemberListingInput,
  OneGroupInput,
  ScopeInput,
  UserListingInput,
} from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, sendJson, sendList } from '../responses.ts'
import type { ById } from './schemas.ts'
import {
  AccountIdSchema,
  countedEnvelope,
  envelope,
  exampleId,
  GroupSchema,
  GroupWithMembersSchema,
  IdParams,
  MemberSchema,
  routeOptions,
  UserSchema,
} from './schemas.ts'

/** Reads users, groups and members, and links users to accounts. The parent plugin has authorized the caller. */
export function addResourceRoutes(app: FastifyInstance, { service: { reads, accountLinks } }: HttpContext): void {
  const one = { params: IdParams, querystring: ScopeInput }

  app.get(
    '/users',
    routeOptions('query', 'List users, or find some of them', {
      operationId: 'listUsers',
      querystring: UserListingInput,
      response: countedEnvelope(Type.Array(UserSchema)),
    }),
    async ({ query }, reply) => sendList(reply, await reads.users(query)),
  )
  app.get<ById>(
    '/users/:id',
    routeOptions('query', 'Get a user', { operationId: 'getUser', ...one, response: envelope(UserSchema) }),
    async ({ params, query }, reply) => sendJson(reply, await reads.user(params.id, query)),
  )
  app.put<{ Params: { id: string; userId: string } }>(
    '/:id/users/:userId/account',
    routeOptions('directory', 'Link a user to an account of your product, or end the link', {
      operationId: 'updateUserAccount',
      params: Type.Object({
        ...IdParams.properties,
        userId: Type.String({ description: 'The id of the user.', examples: [exampleId('a001')] }),
      }),
      body: AccountInput,
      response: envelope(
        Type.Named('UserAccount', 'A user and its account in your product.', {
          user_id: Type.String({ description: 'The id of the user.', examples: [exampleId('a001')] }),
          account_id: AccountIdSchema,
        }),
      ),
      errors: [409],
    }),
    async ({ params: { id, userId }, body, caller }) => dataResponse(await accountLinks.link(id, userId, body, caller)),
  )
  app.get(
    '/groups',
    routeOptions('query', 'List groups, or find some of them', {
      operationId: 'listGroups',
      querystring: GroupListingInput,
      response: envelope(Type.Array(GroupSchema)),
    }),
    async ({ query }, reply) => sendList(reply, await reads.groups(query)),
  )
  app.get<ById>(
    '/groups/:id',
    routeOptions('query', 'Get a group with its members', {
      operationId: 'getGroup',
      params: IdParams,
      querystring: OneGroupInput,
      response: envelope(GroupWithMembersSchema),
    }),
    async ({ params, query }, reply) => sendJson(reply, await reads.group(params.id, query)),
  )
  app.get<ById>(
    '/groups/:id/members',
    routeOptions('query', 'List the users in a group', {
      operationId: 'listGroupMembers',
      params: IdParams,
      querystring: MemberListingInput,
      response: Type.Object({ data: Type.Array(MemberSchema), pageToken: Type.Optional(Type.String()) }),
    }),
    async ({ params, query }, reply) => sendList(reply, await reads.members(params.id, query), '}'),
  )
}
