import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import type { JsonObject } from '../../scim/json.ts'
import { version } from '../../version.ts'
import { directorySyncAlias } from '../directory-sync/routes.ts'
import type { DescribedRoute } from './operation.ts'

const options: FastifyDynamicSwaggerOptions = {
  convertConstToEnum: false,
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Rollcall',
      version,
      description:
        'Directory sync for B2B software: users and groups from identity providers, and an event for every change.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [
      { name: 'Directory sync', description: `For products. The same routes exist under ${directorySyncAlias}.` },
      { name: 'SCIM 2.0', description: 'For identity providers.' },
      { name: 'Events', description: 'The requests that endpoints receive.' },
      { name: 'Notices', description: 'The requests that `OPERATOR_WEBHOOK_URL` receives.' },
      { name: 'Setup portal', description: 'For the pages behind setup links.' },
      { name: 'Google Workspace', description: 'OAuth consent pages for the administrator of a Google Workspace.' },
      { name: 'Admin', description: 'Management of the service; available while `ADMIN_ROOT_TOKEN` is set.' },
      { name: 'Operations', description: 'Health and metrics for the operator, and the keys of receipts.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <key>`' },
        rootToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`token=<ADMIN_ROOT_TOKEN>`',
        },
        adminToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`id=<adminToken.id> token=<adminToken.token> admin_token=<ADMIN_ROOT_TOKEN>`',
        },
        adminJwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The `token` of a login.' },
        setupToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Setup <token>`, with the token of a setup link',
        },
        scimSecret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The SCIM secret of the directory, or an access token of one of its OAuth clients.',
        },
        oauthClient: { type: 'http', scheme: 'basic', description: 'The `client_id` and `client_secret`.' },
      },
    },
  },
}

/**
 * The OpenAPI description of routes. A separate Fastify instance, which never listens, loads `@fastify/swagger`: it and
 * its YAML library take memory, and most services never need the description. Other requests are served in between.
 */
export async function describeRoutes(routes: readonly DescribedRoute[]): Promise<JsonObject> {
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, options)
  for (const route of routes) app.route({ ...route, handler: async () => undefined })
  await nextTurn()
  await app.ready()
  await nextTurn()
  const description = JSON.stringify(app.swagger())
  await nextTurn()
  return JSON.parse(description)
}
