import type { FastifyInstance } from 'fastify'
import {
  GroupListingInput,
  MemberListingInput,
  OneGroupInput,
  ScopeInput,
  UserListingInput,
} from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { sendJson, sendList } from '../responses.ts'
import type { ById } from './schemas.ts'
import {
  countedEnvelope,
  envelope,
  GroupSchema,
  GroupWithMembersSchema,
  IdParams,
  MemberSchema,
  routeOptions,
  UserSchema,
} from './schemas.ts'

/** Reads users, groups and members. The parent plugin has authorized the caller. */
export function addResourceRoutes(app: FastifyInstance, { service: { reads } }: HttpContext): void {
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
