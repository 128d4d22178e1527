import type { FastifyInstance } from 'fastify'
import type { Admins } from '../../admin/accounts/admins.ts'
import { authorizationOf } from '../authorization.ts'
import { originOf } from '../origin.ts'
import { documented, LoginInput, LoginSchema } from './schemas.ts'

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
