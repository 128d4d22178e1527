import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import type { JsonObject } from '../scim/json.ts'
import { version } from '../version.ts'
import { directorySyncPrefixes } from './directory-sync/routes.ts'
import { requireOperationIds } from './openapi/operation.ts'

const [, secondPrefix] = directorySyncPrefixes

/** Serves the OpenAPI 3.1 description of the routes that are added afterwards at `/openapi.json`. */
export async function addOpenApi(app: FastifyInstance, externalUrl: () => string): Promise<void> {
  requireOperationIds(app, (url) => !url.startsWith(secondPrefix))
  await app.register(swagger, {
    // The routes exist under two prefixes; only one is described.
    transform: ({ schema, url }) => ({
      schema: { ...schema, hide: schema?.hide || url.startsWith(secondPrefix) },
      url,
    }),
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
        { name: 'Directory sync', description: `For products. The same routes exist under ${secondPrefix}.` },
        { name: 'SCIM 2.0', description: 'For identity providers.' },
        { name: 'Events', description: 'The requests that endpoints receive.' },
        { name: 'Notices', description: 'The requests that `OPERATOR_WEBHOOK_URL` receives.' },
        { name: 'Setup portal', description: 'For the pages behind setup links.' },
        { name: 'Google Workspace', description: 'OAuth consent pages for the administrator of a Google Workspace.' },
        { name: 'Admin', description: 'Management of the service; available while `ADMIN_ROOT_TOKEN` is set.' },
        { name: 'Operations', description: 'Health and metrics, for the operator.' },
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
          scimSecret: { type: 'http', scheme: 'bearer', description: 'The SCIM secret of the directory.' },
        },
      },
    },
  })
  let description: Promise<string> | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= describe(app, externalUrl())
    return reply.header('content-type', 'application/json; charset=utf-8').send(await description)
  })
}

/** What completes the description is loaded at the first request for it. */
async function describe(app: FastifyInstance, serverUrl: string): Promise<string> {
  const { completeDescription } = await import('./openapi/complete.ts')
  const routes: JsonObject = JSON.parse(JSON.stringify(app.swagger()))
  return JSON.stringify(completeDescription(routes, serverUrl))
}

/**
 * The page at `/docs` that shows `/openapi.json`. The viewer takes several megabytes of memory, so it is loaded at the
 * first request, into a Fastify instance of its own.
 */
export function addDocsPage(app: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    viewer ??= openViewer()
    const response = await (await viewer).inject({ method: 'GET', url: request.url.replace(/\?.*$/, '') })
    const { 'content-type': type = 'text/html', location } = response.headers
    reply.code(response.statusCode).headers({ ...pageHeaders, 'content-type': type })
    if (location !== undefined) reply.header('location', location)
    return reply.send(response.rawPayload)
  }
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .code(302)
      .headers({ location: '/docs', 'content-type': 'text/plain; charset=utf-8' })
      .send('The API reference is at /docs.\n'),
  )
  app.get('/docs', { schema: { hide: true } }, handler)
  app.get('/docs/*', { schema: { hide: true } }, handler)
}

/** The viewer has inline scripts and styles, and may connect to this service only. */
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
