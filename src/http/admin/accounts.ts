import type { FastifyInstance } from 'fastify'
import { AdminUserInput } from '../../admin/accounts/accounts.ts'
import type { Admins } from '../../admin/accounts/admins.ts'
import { DefaultPagingInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { authorizationOf, originOf } from '../authorization.ts'
import { envelope, IdParams, Nothing } from '../directory-sync/schemas.ts'
import { dataResponse, pageResponse } from '../responses.ts'
import { AdminTokenSchema, AdminUserSchema, documented, LoginInput, LoginSchema } from './schemas.ts'

/** An admin's own account and the tokens of all admins. The parent plugin has authenticated the admin. */
export function addAccountRoutes(app: FastifyInstance, admins: Admins): void {
  const user = envelope(AdminUserSchema)

  app.get(
    '/user/me',
    { schema: documented('Get your account', { operationId: 'getAdmin', response: user }) },
    async ({ session }) => dataResponse(await admins.me(session)),
  )
  app.put(
    '/user/me',
    {
      schema: documented('Change your time zone', { operationId: 'updateAdmin', body: AdminUserInput, response: user }),
    },
    async ({ session, body, caller }) => dataResponse(await admins.setTimezone(session, body, caller)),
  )
  app.post(
    '/user/_logout',
    {
      schema: documented('Log out: disables your admin token and its JWT', {
        operationId: 'logOut',
        response: Nothing,
      }),
    },
    async ({ session, caller }) => {
      await admins.logOut(session, caller)
      return dataResponse({})
    },
  )
  app.get(
    '/token',
    {
      schema: documented('List the tokens of all admins', {
        operationId: 'listAdminTokens',
        querystring: DefaultPagingInput,
        response: envelope(Type.Array(AdminTokenSchema)),
      }),
    },
    async ({ query, session }) => pageResponse(await admins.listTokens(query, session)),
  )
  app.delete<{ Params: { id: string } }>(
    '/token/:id',
    {
      schema: documented('Disable an admin token', {
        operationId: 'disableAdminToken',
        params: IdParams,
        response: Nothing,
      }),
    },
    async ({ params, caller }) => {
      await admins.disableToken(params.id, caller)
      return dataResponse({})
    },
  )
}

/** The login of admins; its response has no envelope. */
export function addLoginRoute(app: FastifyInstance, { logIn }: Admins): void {
  app.post(
    '/user/_login',
    {
      schema: documented('Log in as an admin', {
        operationId: 'logIn',
        description: 'The root token is in the header, `Authorization: token=<ADMIN_ROOT_TOKEN>`, and in the body.',
        security: [{ rootToken: [] }],
        body: LoginInput,
        response: LoginSchema,
      }),
    },
    async (request) => logIn({ authorization: authorizationOf(request.raw), body: request.body, ...originOf(request) }),
  )
}
