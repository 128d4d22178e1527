import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { version } from '../version.ts'
import { directorySyncPrefixes } from './directory-sync/routes.ts'

const [, otherName] = directorySyncPrefixes

/** Describes the routes that are registered after it, as OpenAPI 3.1 at `/openapi.json` and a page at `/docs`. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    // The same routes have two names; one of them is described.
    transform: ({ schema, url }) => ({ schema: { ...schema, hide: schema?.hide || url.startsWith(otherName) }, url }),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rollcall',
        version,
        description:
          'Directory sync for B2B software: users and groups of identity providers, and an event per change.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'Directory sync', description: `For products. The same routes are under ${otherName}.` },
        { name: 'SCIM 2.0' },
        { name: 'Google Workspace', description: 'For the browser of whoever lets a directory be pulled.' },
        { name: 'Admin', description: 'For those who manage the service; there while `ADMIN_ROOT_TOKEN` is set.' },
        { name: 'Operations' },
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
          scimSecret: { type: 'http', scheme: 'bearer', description: 'The SCIM secret of the directory.' },
        },
      },
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
