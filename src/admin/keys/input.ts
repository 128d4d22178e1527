import type { Static } from 'typebox'
import { Type } from 'typebox'
import { refuseProblems } from '../../directory/errors.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import { parseInstant } from '../instant.ts'
import type { ApiKeyScope, ManagedApiKey } from './store.ts'

const expiryMessage =
  'expires_at: a time to come, like 2030-01-31T12:00:00Z or 1896091200000 (Unix milliseconds); null for never.'

/** `POST apikey`. A field of the scope that is not known is refused: a misspelt one would widen what the key may do. */
export const ApiKeyInput = Type.Object({
  name: Type.String({
    description: 'name: text of 1 to 200 characters, without control characters.',
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\p{Cc}\\p{Cs}]+$',
  }),
  scope: Type.Optional(
    Type.Object(
      {
        tenant: ScopeInput.properties.tenant,
        product: ScopeInput.properties.product,
        readOnly: Type.Optional(Type.Boolean()),
        read_only: Type.Optional(Type.Boolean()),
      },
      {
        additionalProperties: false,
        description:
          'scope: an object of tenant and product (text of 1 to 200 characters, without ":" and control characters) and readOnly (true or false), each of which may be left out; nothing else.',
      },
    ),
  ),
  expires_at: Type.Optional(
    Type.Union([Type.String({ maxLength: 40 }), Type.Integer(), Type.Null()], { description: expiryMessage }),
  ),
})
export type ApiKeyInput = Static<typeof ApiKeyInput>

/** @throws DirectoryError `invalid-input` */
export function parseApiKey(input: unknown, now: number): Pick<ManagedApiKey, 'name' | 'scope' | 'expiresAt'> {
  const { name, scope, expires_at: expiresAt } = parseInput(ApiKeyInput, input)
  return { name, scope: scopeOf(scope), expiresAt: expiryOf(expiresAt ?? undefined, now) }
}

function scopeOf({ tenant, product, readOnly, read_only }: NonNullable<ApiKeyInput['scope']> = {}): ApiKeyScope {
  return { tenant, product, readOnly: readOnly === true || read_only === true }
}

function expiryOf(given: string | number | undefined, now: number): number | undefined {
  if (given === undefined) return undefined
  const at = parseInstant(given)
  if (at === undefined || at <= now) refuseProblems([{ field: 'expires_at', message: expiryMessage }])
  return at
}
