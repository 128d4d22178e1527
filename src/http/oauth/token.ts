import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../admin/accounts/failure-limit.ts'
import { createRateLimit } from '../../concurrency/rate-limit.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { TokenErrorCode, TokenRefusal } from '../../oauth/client-credentials.ts'
import { tokenScope } from '../../oauth/token-endpoint.ts'
import { rejectOtherMethods } from '../allowed-methods.ts'
import { authorizationOf, originOf } from '../authorization.ts'
import { acceptForms, BodyError, formType } from '../body-encoding.ts'
import type { HttpContext } from '../context.ts'
import { requestErrorResponse } from '../request-errors.ts'

/** The path of the token endpoint below `oauthPrefix`. */
export const tokenPath = '/token'

/** Bytes of a token request: an assertion has about 2 KB. */
const bodyLimit = 32_768

/** The limits of failures. They never concern a client whose credentials are right. */
const failureRate = { count: 30, perMs: 60_000 }

const TokenSchema = Type.Named('AccessToken', 'An access token (RFC 6749 §5.1).', {
  access_token: Type.String({
    description: 'The token, for the header Authorization: Bearer.',
    examples: ['rct_Zb2Xl4oY.01980c5e-8f5c-7a10-9d3c-5b1f0a3cc001.1790000000.mV0Zb2Xl4oYw'],
  }),
  token_type: Type.Literal('Bearer', { description: 'How to send it (RFC 6750).' }),
  expires_in: Type.Integer({ examples: [3_600], description: 'Seconds.' }),
  scope: Type.Literal(tokenScope, { description: 'What it allows.' }),
})
const TokenErrorSchema = Type.Named('TokenError', 'Why there is no access token (RFC 6749 §5.2).', {
  error: Type.Enum([
    ...['invalid_request', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type'],
    ...['server_error', 'temporarily_unavailable'],
  ]),
  error_description: Type.String({
    description: 'What is wrong, and how to fix it.',
    examples: ['The secret is wrong.'],
  }),
})
const FormSchema = Type.Object(
  {
    grant_type: Type.Literal('client_credentials', { description: 'The only grant (RFC 6749 §4.4).' }),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    client_assertion_type: Type.Optional(
      Type.Literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer', { description: 'With an assertion.' }),
    ),
    client_assertion: Type.Optional(
      Type.String({ description: 'A JWT of the issuer (RFC 7523).', examples: ['eyJhbGciOiJSUzI1NiJ9.e30.mV0Z'] }),
    ),
    scope: Type.Optional(Type.String({ description: 'Ignored: every token has the scope scim.', examples: ['scim'] })),
  },
  { title: 'TokenRequest', examples: [{ grant_type: 'client_credentials' }] },
)

const schema = {
  operationId: 'createAccessToken',
  tags: ['SCIM 2.0'],
  security: [{ oauthClient: [] }, {}],
  summary: 'Request an access token with the credentials of an OAuth client',
  consumes: [formType],
  body: FormSchema,
  response: {
    '200': TokenSchema,
    ...Object.fromEntries(['400', '401', '413', '429', '500', '503'].map((status) => [status, TokenErrorSchema])),
  },
}

/** The token endpoint for OAuth clients of directories (RFC 6749 §3.2). */
export function addTokenRoute(app: FastifyInstance, context: HttpContext): void {
  const { tokenEndpoint } = context.service
  const refuse = createRefusals(context)
  acceptForms(app, (form) => form)
  app.setErrorHandler(sendTokenError)
  app.post(tokenPath, { bodyLimit, schema }, async (request, reply) => {
    const form = formOf(request)
    if (!(form instanceof URLSearchParams)) return refuse(request, reply, form)
    const issued = await tokenEndpoint.issue({ form, authorization: authorizationOf(request.raw) })
    if ('error' in issued) return refuse(request, reply, issued)
    return reply.header('pragma', 'no-cache').send(issued)
  })
  rejectOtherMethods(app, tokenPath, ['POST'])
}

/** The form of a request. Parameters in the URL would be in logs; so would a token. */
function formOf({ body, query }: FastifyRequest): URLSearchParams | TokenRefusal {
  const isClean = Object.keys(query as object).length === 0
  if (isClean && body instanceof URLSearchParams) return body
  const description = isClean
    ? `Send the parameters in the body, with the header "Content-Type: ${formType}".`
    : 'Send the parameters in the body, not in the URL.'
  return { error: 'invalid_request', description }
}

const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
} as const satisfies Record<TokenErrorCode, number>

/**
 * Sends refusals, and counts them as failed authentications of the directory. The failures of a client and those from a
 * network are limited; whoever has the right credentials is not concerned.
 */
function createRefusals({ service: { activity } }: HttpContext) {
  const now = () => performance.now()
  const [ofClient, ofNetwork] = [createRateLimit(failureRate, now), createRateLimit(failureRate, now)]

  /** Counts a failure; returns the seconds to wait if there were too many before it. */
  function countFailure({ failures = [] }: TokenRefusal, request: FastifyRequest): number | undefined {
    const { address } = originOf(request)
    const waits = failures.map(({ client, problem }) => {
      activity.rejected(client.directoryId, { address, hasSecret: true, problem })
      return ofClient.take(client.id) ?? 0
    })
    const waitSeconds = Math.max(ofNetwork.take(networkOf(address)) ?? 0, ...waits)
    return waitSeconds === 0 ? undefined : waitSeconds
  }

  return (request: FastifyRequest, reply: FastifyReply, refusal: TokenRefusal): FastifyReply => {
    const { error, description } = refusal
    if (error !== 'invalid_client') return sendError(reply, statuses[error], error, description)
    const waitSeconds = countFailure(refusal, request)
    reply.header('www-authenticate', 'Basic realm="SCIM"')
    if (waitSeconds === undefined) return sendError(reply, 401, error, description)
    reply.header('retry-after', String(waitSeconds))
    return sendError(reply, 429, error, `Too many failures: try again in ${waitSeconds} s.`)
  }
}

function sendError(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply.code(status).send({ error, error_description: printable(description) })
}

/** The characters that `error_description` may have (RFC 6749 §5.2). */
function printable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]/g, '?')
}

async function sendTokenError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { status, message, headers = {} } = requestErrorResponse(error, request)
  reply.headers(headers)
  if (status === 415) {
    const description =
      error instanceof BodyError ? message : `Send a form, with the header "Content-Type: ${formType}".`
    await sendError(reply, 400, 'invalid_request', description)
    return
  }
  const name = status >= 500 ? serverErrors[status] : undefined
  await sendError(reply, status, name ?? (status >= 500 ? 'server_error' : 'invalid_request'), message)
}

const serverErrors: Readonly<Record<number, string>> = { 503: 'temporarily_unavailable' }
