import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'

// The description of a field is also its error message.

const plainText = '^[^\\p{Cc}\\p{Cs}]*$'
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: plainText, description })

const directoryId = text(100, 'directoryId: the id of a directory.')
const state = text(4000, 'state: the complete state that the authorization was started with.')
const code = text(4000, 'code: the code from the redirect of Google.')
const scope = text(4000, 'scope: the granted scopes, separated by spaces.')

/** The directory to authorize. */
export const BeginInput = Type.Object({ directoryId })
export type BeginInput = Static<typeof BeginInput>

/** The token of an authorization URL. */
export const LinkInput = Type.Object({ token: text(1000, 'token: the complete authorization URL is required.') })
export type LinkInput = Static<typeof LinkInput>

/** A code to exchange for tokens. */
export const CodeInput = Type.Object({ directoryId, code, state: Type.Optional(state) })
export type CodeInput = Static<typeof CodeInput>

/** Tokens that the product obtained on its own. */
export const TokenInput = Type.Object({
  directoryId,
  accessToken: text(4000, 'accessToken: text of 1 to 4000 characters.'),
  refreshToken: text(4000, 'refreshToken: text of 1 to 4000 characters.'),
  expiryDate: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'expiryDate: when the access token expires, in Unix milliseconds.',
    }),
  ),
  scope: Type.Optional(scope),
})
export type TokenInput = Static<typeof TokenInput>

/** The query parameters of Google's redirect. */
export const CallbackInput = Type.Object({
  state,
  code: Type.Optional(code),
  error: Type.Optional(text(1000, 'error: an error code.')),
})
export type CallbackInput = Static<typeof CallbackInput>
