import type { FastifyInstance } from 'fastify'
import { DirectoryError } from '../../directory/errors.ts'
import { RotateSecretInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { ChooseProviderInput, GoogleScopeInput, PortalClientInput } from '../../setup/inputs.ts'
import type { SetupLink } from '../../setup/setup-link.ts'
import { addWithAllowedMethods } from '../allowed-methods.ts'
import { authorizationOf, credential } from '../authorization.ts'
import type { HttpContext } from '../context.ts'
import { envelope } from '../directory-sync/schemas.ts'
import { acceptJson } from '../json-body.ts'
import { dataResponse, sendApiError } from '../responses.ts'
import { rejectUndeclaredInput } from '../undeclared-input.ts'
import type { OpenSetupLink } from './limited-opening.ts'
import { limitedOpening } from './limited-opening.ts'
import { callerOf, described } from './operation.ts'
import { addSetupPage, setupPagePrefix } from './page.ts'
import { addRoleRoutes } from './roles.ts'
import {
  AuthorizationUrlSchema,
  PortalHealthSchema,
  PortalSchema,
  WithClientSchema,
  WithSecretSchema,
} from './schemas.ts'

const setupApiPrefix = '/api/v1/setup'

const bodyLimit = 4096
/** For the longest lists of groups and organizational units. */
const scopeBodyLimit = 256 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    setupLink: SetupLink
  }
}

/** The page of a setup link, and the routes that it calls. */
export async function addSetup(app: FastifyInstance, context: HttpContext): Promise<void> {
  const openLink = limitedOpening(context.service.setupLinks)
  await app.register(async (page) => addSetupPage(page, context, openLink), { prefix: setupPagePrefix })
  await app.register(async (routes) => addSetupRoutes(routes, context, openLink), { prefix: setupApiPrefix })
}

/** The routes whose credential is the token of the setup link: `Authorization: Setup <token>`. */
function addSetupRoutes(app: FastifyInstance, context: HttpContext, openLink: OpenSetupLink): void {
  acceptJson(app, ['application/json'])
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply, 'Setup'))
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= bodyLimit
  })
  openSetupLinks(app, openLink)
  rejectUndeclaredInput(app)
  addWithAllowedMethods(app, () => {
    addPortalRoutes(app, context)
    addRoleRoutes(app, context)
  })
}

/** Finds the setup link of each request. */
function openSetupLinks(app: FastifyInstance, openLink: OpenSetupLink): void {
  app.decorateRequest('setupLink')
  app.addHook('onRequest', async (request) => {
    const token = credential(authorizationOf(request.raw), 'Setup')
    if (token === undefined) {
      throw new DirectoryError('unauthorized', 'Send the token of a setup link: "Authorization: Setup <token>".')
    }
    request.setupLink = await openLink(token, request)
  })
}

function addPortalRoutes(app: FastifyInstance, { service: { portal } }: HttpContext): void {
  app.get(
    '/',
    {
      schema: described('Get the setup that a link is for', {
        operationId: 'getSetup',
        response: envelope(PortalSchema),
      }),
    },
    async ({ setupLink }) => dataResponse(await portal.view(setupLink)),
  )
  app.get(
    '/health',
    {
      schema: described('Get the health of the connection to the identity provider', {
        operationId: 'getSetupHealth',
        response: envelope(PortalHealthSchema),
      }),
    },
    async ({ setupLink }) => dataResponse(await portal.health(setupLink)),
  )
  app.post(
    '/directory',
    {
      schema: described('Choose the identity provider; the secret is only returned here', {
        operationId: 'createSetupDirectory',
        body: ChooseProviderInput,
        response: envelope(WithSecretSchema),
        status: 201,
      }),
    },
    async (request, reply) => {
      reply.code(201)
      return dataResponse(await portal.chooseProvider(request.setupLink, request.body, callerOf(request)))
    },
  )
  app.post(
    '/directory/rotate-secret',
    {
      schema: described('Create a new SCIM secret, which is only returned here', {
        operationId: 'rotateSetupSecret',
        body: RotateSecretInput,
        response: envelope(WithSecretSchema),
      }),
    },
    async (request) => dataResponse(await portal.rotateSecret(request.setupLink, request.body, callerOf(request))),
  )
  app.post(
    '/directory/oauth-clients',
    {
      schema: described('Create an OAuth client; its secret is only returned here', {
        operationId: 'createSetupOAuthClient',
        body: PortalClientInput,
        response: envelope(WithClientSchema),
        status: 201,
      }),
    },
    async (request, reply) => {
      reply.code(201)
      return dataResponse(await portal.createClient(request.setupLink, request.body, callerOf(request)))
    },
  )
  app.delete<{ Params: { clientId: string } }>(
    '/directory/oauth-clients/:clientId',
    {
      schema: {
        ...described('Delete an OAuth client', {
          operationId: 'deleteSetupOAuthClient',
          response: envelope(PortalSchema),
        }),
        params: Type.Object({ clientId: Type.String({ description: 'The client_id.', examples: ['c001'] }) }),
      },
    },
    async (request) =>
      dataResponse(await portal.deleteClient(request.setupLink, request.params.clientId, callerOf(request))),
  )
  app.put(
    '/directory/google-scope',
    {
      bodyLimit: scopeBodyLimit,
      schema: described('Replace the groups and organizational units of Google Workspace to sync', {
        operationId: 'replaceSetupGoogleScope',
        body: GoogleScopeInput,
        response: envelope(PortalSchema),
      }),
    },
    async (request) => dataResponse(await portal.chooseGoogleScope(request.setupLink, request.body, callerOf(request))),
  )
  app.post(
    '/authorization-url',
    {
      schema: described('Create a URL to connect a Google Workspace', {
        operationId: 'createSetupAuthorizationUrl',
        response: envelope(AuthorizationUrlSchema),
        status: 201,
      }),
    },
    async ({ setupLink }, reply) => {
      reply.code(201)
      return dataResponse(await portal.authorizationUrl(setupLink))
    },
  )
}
