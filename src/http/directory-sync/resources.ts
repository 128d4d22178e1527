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
import { DigestInput } from '../../reads/digest.ts'
import { clientSignal } from '../admission.ts'
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

const UserDigestSchema = Type.Named('UserDigest', 'Digests of the users of a directory.', {
  sequence: Type.Integer({ description: 'The sequence of the last event at this moment.', examples: [4711] }),
  users: Type.Integer({ description: 'The number of users.', examples: [83] }),
  buckets: Type.Array(
    Type.Named('BucketDigest', 'A bucket of users.', {
      count: Type.Integer({ description: 'The number of its users.', examples: [5] }),
      digest: Type.String({
        description: 'The exclusive or of the digests of its users, in hexadecimal.',
        examples: ['6bd1c3a0f1f9a4d3a3c2b6a9e0a1d94ce1b4f0d7c5a8b39216e7f8d0c9b2a471'],
      }),
    }),
    { description: 'In their order, which begins with bucket 0.' },
  ),
})

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
  app.get<ById>(
    '/:id/digest',
    routeOptions('directory', 'Get digests of the users of a directory', {
      operationId: 'getUserDigest',
      description:
        'The users are divided into buckets, 256 unless `buckets` says otherwise, and all digests are true at one sequence. A bucket that differs from your own users is listed by `GET /users` with `bucket` and `buckets`.',
      params: IdParams,
      querystring: DigestInput,
      response: envelope(UserDigestSchema),
    }),
    async ({ params, query }, reply) => dataResponse(await reads.digest(params.id, query, clientSignal(reply))),
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
