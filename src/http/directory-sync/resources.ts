import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ScopeInput } from '../../directory/inputs.ts'
import type { HttpContext } from '../context.ts'
import { sendList, sendPieces, sendText } from '../responses.ts'
import {
  documented,
  envelope,
  GroupSchema,
  GroupWithMembersSchema,
  IdParams,
  ListingQuery,
  MemberSchema,
  UserSchema,
} from './schemas.ts'

interface ById {
  Params: { id: string }
}

/** Users, groups and members as the product reads them. The parent plugin has checked the API key. */
export function addResourceRoutes(app: FastifyInstance, { service: { reads } }: HttpContext): void {
  const one = { params: IdParams, querystring: ScopeInput }
  const listing = { querystring: ListingQuery }

  app.get(
    '/users',
    {
      config: { scope: 'query' },
      schema: documented('List users', { ...listing, response: envelope(Type.Array(UserSchema)) }),
    },
    async ({ query }, reply) => sendList(reply, await reads.users(query)),
  )
  app.get<ById>(
    '/users/:id',
    { config: { scope: 'query' }, schema: documented('Get a user', { ...one, response: envelope(UserSchema) }) },
    async ({ params, query }, reply) => sendText(reply, await reads.user(params.id, query)),
  )
  app.get(
    '/groups',
    {
      config: { scope: 'query' },
      schema: documented('List groups', { ...listing, response: envelope(Type.Array(GroupSchema)) }),
    },
    async ({ query }, reply) => sendList(reply, await reads.groups(query)),
  )
  app.get<ById>(
    '/groups/:id',
    {
      config: { scope: 'query' },
      schema: documented('Get a group with its members', { ...one, response: envelope(GroupWithMembersSchema) }),
    },
    async ({ params, query }, reply) => sendPieces(reply, await reads.group(params.id, query)),
  )
  app.get<ById>(
    '/groups/:id/members',
    {
      config: { scope: 'query' },
      schema: documented('List the users in a group', {
        ...listing,
        params: IdParams,
        response: Type.Object({ data: Type.Array(MemberSchema), pageToken: Type.Optional(Type.String()) }),
      }),
    },
    async ({ params, query }, reply) => sendList(reply, await reads.members(params.id, query), '}'),
  )
}
