import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { version } from '../version.ts'
import { directorySyncPrefixes } from './directory-sync/routes.ts'

const [, otherName] = directorySyncPrefixes

/** Describes the routes that are registered after it, as OpenAPI 3.1 at `/openapi.json` and a page at `/docs`. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
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

/**
 * The page at `/docs` that shows `/openapi.json`. The viewer is several megabytes: it is loaded into an application of its
 * own when somebody first looks, and asked there.
 */
export function addDocsPage(app: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    viewer ??= openViewer()
    const answer = await (await viewer).inject({ method: 'GET', url: request.url.replace(/\?.*$/, '') })
    const { 'content-type': type = 'text/html', location } = answer.headers
    reply.code(answer.statusCode).headers({ ...pageHeaders, 'content-type': type })
    if (location !== undefined) reply.header('location', location)
    return reply.send(answer.rawPayload)
  }
  app.get('/docs', { schema: { hide: true } }, handler)
  app.get('/docs/*', { schema: { hide: true } }, handler)
}

/** The viewer's script is inline and styles itself; it reaches this service only. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
}

async function openViewer(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = Fastify()
  await viewer.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      title: 'Rollcall',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  await viewer.ready()
  return viewer
}
