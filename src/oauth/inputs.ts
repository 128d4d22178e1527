import { isLocalhost } from '../delivery/endpoint/egress-policy.ts'
import { throwProblems } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import type { FieldProblem } from '../inputs/unknown-fields.ts'
import type { FederatedClient } from './oauth-client.ts'

const minDays = 365
const maxDays = 1_095
const defaultDays = 730
const dayMs = 24 * 3_600_000

/** Visible characters: what URLs and ids of identity providers consist of. */
const visible = '^[\\x21-\\x7e]+$'

const visibleText = (field: string, meaning: string) =>
  Type.String({
    description: `${field}: ${meaning}; 1 to 500 characters without spaces.`,
    minLength: 1,
    maxLength: 500,
    pattern: visible,
  })

/** `POST /:id/oauth-clients` */
export const OAuthClientInput = Type.Object(
  {
    type: Type.Enum(['secret', 'federated'], { description: 'type: secret or federated.' }),
    name: Type.Optional(
      Type.String({
        description: 'name: text of 1 to 200 characters, without control characters.',
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Cs}]+$',
      }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        description: `expires_in_days: how long the secret is valid, a whole number of days from ${minDays} to ${maxDays}; ${defaultDays} by default. Only for the type secret.`,
        minimum: minDays,
        maximum: maxDays,
      }),
    ),
    issuer: Type.Optional(
      visibleText('issuer', 'the https URL in the claim iss of the assertions. Only for the type federated'),
    ),
    subject: Type.Optional(visibleText('subject', 'the claim sub of the assertions. Only for the type federated')),
    audience: Type.Optional(
      visibleText(
        'audience',
        'the claim aud of the assertions, with or without /.default at its end. Only for the type federated',
      ),
    ),
    jwks_url: Type.Optional(
      visibleText(
        'jwks_url',
        'the https URL of the keys of the issuer; without it, its discovery document names them. Only for the type federated',
      ),
    ),
  },
  { title: 'OAuthClientInput', examples: [{ type: 'secret', name: 'Entra ID' }] },
)
export type OAuthClientInput = Static<typeof OAuthClientInput>

/** The part of a new client that its creator chooses. */
export type ChosenClient =
  | { readonly type: 'secret'; readonly name: string | undefined; readonly expiresAt: number }
  | ({ readonly name: string | undefined } & Pick<
      FederatedClient,
      'type' | 'issuer' | 'subject' | 'audience' | 'jwksUrl'
    >)

/** @throws DirectoryError `invalid-input` */
export function parseOAuthClient(input: unknown, now: number): ChosenClient {
  const fields = parseInput(OAuthClientInput, input)
  const { type, name, expires_in_days: days = defaultDays, issuer = '', subject = '', audience = '' } = fields
  throwProblems(type === 'secret' ? problemsOfSecret(fields) : problemsOfFederated(fields))
  if (type === 'secret') return { type, name, expiresAt: now + days * dayMs }
  return { type, name, issuer, subject, audience: bareAudience(audience), jwksUrl: fields.jwks_url }
}

/** The audience without the `/.default` that Entra ID shows, but does not send. */
export function bareAudience(audience: string): string {
  return audience.endsWith('/.default') ? audience.slice(0, -'/.default'.length) : audience
}

const ofFederated = ['issuer', 'subject', 'audience', 'jwks_url'] as const

function problemsOfSecret(fields: OAuthClientInput): FieldProblem[] {
  return ofFederated
    .filter((field) => fields[field] !== undefined)
    .map((field) => ({ field, message: `${field}: only for a client of the type federated.` }))
}

function problemsOfFederated(fields: OAuthClientInput): FieldProblem[] {
  const missing = (['issuer', 'subject', 'audience'] as const).filter((field) => fields[field] === undefined)
  const days = { field: 'expires_in_days', message: 'expires_in_days: only for a client of the type secret.' }
  return [
    ...missing.map((field) => ({ field, message: `${field}: required for a client of the type federated.` })),
    ...(fields.expires_in_days === undefined ? [] : [days]),
    ...urlProblems('issuer', fields.issuer),
    ...urlProblems('jwks_url', fields.jwks_url),
  ]
}

/** The addresses of hosts are checked separately, when the client is created and at every connection. */
function urlProblems(field: 'issuer' | 'jwks_url', url: string | undefined): FieldProblem[] {
  if (url === undefined || isKeyUrl(url)) return []
  return [{ field, message: `${field}: must be a URL that begins with https://, without user name and fragment.` }]
}

/** Returns whether keys may be fetched from a URL: by https, or by http from this machine, for development. */
export function isKeyUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
}

function isThisMachine(host: string): boolean {
  return isLocalhost(host) || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
