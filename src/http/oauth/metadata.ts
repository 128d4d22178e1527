import type { FastifyInstance } from 'fastify'
import { Type } from '../../inputs/json-schema.ts'
import { assertionAlgorithms } from '../../oauth/assertion.ts'
import { tokenScope } from '../../oauth/token-endpoint.ts'
import { rejectOtherMethods } from '../allowed-methods.ts'
import type { HttpContext } from '../context.ts'
import { oauthPrefix } from './routes.ts'
import { tokenPath } from './token.ts'

/** The path of the metadata (RFC 8414 §3.1). */
const metadataPath = `/.well-known/oauth-authorization-server${oauthPrefix}`

const texts = (description: string, ...example: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [example] })

const MetadataSchema = Type.Named('AuthorizationServerMetadata', 'The metadata of the server (RFC 8414 §2).', {
  issuer: Type.String({
    description: 'The authorization server.',
    examples: ['https://rollcall.example/api/scim/oauth'],
  }),
  token_endpoint: Type.String(),
  grant_types_supported: texts('The supported grants.', 'client_credentials'),
  response_types_supported: texts('None: there is no authorization endpoint.'),
  scopes_supported: texts('The supported scopes.', 'scim'),
  token_endpoint_auth_methods_supported: texts('How clients authenticate.', 'client_secret_basic'),
  token_endpoint_auth_signing_alg_values_supported: texts('The algorithms of assertions.', 'RS256'),
})

/** The metadata by which identity providers find the token endpoint (RFC 8414). */
export function addMetadataRoute(app: FastifyInstance, { service: { externalUrl } }: HttpContext): void {
  app.get(
    metadataPath,
    {
      schema: {
        operationId: 'getAuthorizationServer',
        tags: ['SCIM 2.0'],
        security: [],
        summary: 'Get the metadata of the authorization server',
        response: { '200': MetadataSchema },
      },
    },
    async () => ({
      issuer: `${externalUrl()}${oauthPrefix}`,
      token_endpoint: `${externalUrl()}${oauthPrefix}${tokenPath}`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      scopes_supported: [tokenScope],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    }),
  )
  rejectOtherMethods(app, metadataPath, ['GET'])
}
