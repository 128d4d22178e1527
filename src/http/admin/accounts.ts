import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { AdminUserInput } from '../../admin/accounts/accounts.ts'
import type { Admins } from '../../admin/accounts/admins.ts'
import { AdminPagingInput } from '../../admin/paging.ts'
import { authorizationOf, originOf } from '../authorization.ts'
import { envelope, IdParams } from '../directory-sync/schemas.ts'
import { pageResponse } from '../responses.ts'
import { AdminTokenSchema, AdminUserSchema, documented, LoginInput, LoginSchema, Nothing } from './schemas.ts'

/** An admin's own account, and the tokens of all admins. The parent plugin has checked who asks. */
export function addAccountRoutes(app: FastifyInstance, admins: Admins): void {
  const user = envelope(AdminUserSchema)

  app.get('/user/me', { schema: documented('Read who you are', { response: user }) }, async ({ session }) => ({
    data: await admins.me(session),
    error: null,
  }))
  app.put(
    '/user/me',
    { schema: documented('Change your time zone', { body: AdminUserInput, response: user }) },
    async ({ session, body, caller }) => ({ data: await admins.setTimezone(session, body, caller), error: null }),
  )
  app.post(
    '/user/_logout',
    { schema: documented('Log out: your admin token ends, and its JWT with it', { response: Nothing }) },
    async ({ session, caller }) => {
      await admins.logOut(session, caller)
      return { data: {}, error: null }
    },
  )
  app.get(
    '/token',
    {
      schema: documented('List the tokens of all admins', {
        querystring: AdminPagingInput,
        response: envelope(Type.Array(AdminTokenSchema)),
      }),
    },
    async ({ query }) => pageResponse(await admins.listTokens(query)),
  )
  app.delete<{ Params: { id: string } }>(
    '/token/:id',
    { schema: documented('Disable an admin token', { params: IdParams, response: Nothing }) },
    async ({ params, caller }) => {
      await admins.disableToken(params.id, caller)
      return { data: {}, error: null }
    },
  )
}

/** The way in: the answer is the bare object of the design, in no envelope. */
export function addLoginRoute(app: FastifyInstance, { logIn }: Admins): void {
  app.post(
    '/user/_login',
    {
      schema: documented('Log in as an admin', {
        description: 'The root token is in the header, `Authorization: token=<ADMIN_ROOT_TOKEN>`, and in the body.',
        security: [{ rootToken: [] }],
        body: LoginInput,
        response: LoginSchema,
      }),
    },
    async (request) => logIn({ authorization: authorizationOf(request.raw), body: request.body, ...originOf(request) }),
  )
}
