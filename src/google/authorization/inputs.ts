import type { Static } from 'typebox'
import { Type } from 'typebox'

// A field's description is also what a refusal says about it.

const plainText = '^[^\\p{Cc}\\p{Cs}]*$'
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: plainText, description })

const directoryId = text(100, 'directoryId: the id of a directory.')
const state = text(4000, 'state: the whole state that the authorization was begun with.')
const code = text(4000, 'code: the code that Google came back with.')
const scope = text(4000, 'scope: the granted scopes, separated by blanks.')

/** Which directory an authorization is for. */
export const BeginInput = Type.Object({ directoryId })
export type BeginInput = Static<typeof BeginInput>

/** What changes a code into tokens. */
export const CodeInput = Type.Object({ directoryId, code, state: Type.Optional(state) })
export type CodeInput = Static<typeof CodeInput>

/** Tokens that the product has got by itself. */
export const TokenInput = Type.Object({
  directoryId,
  accessToken: text(4000, 'accessToken: text of 1 to 4000 characters.'),
  refreshToken: text(4000, 'refreshToken: text of 1 to 4000 characters.'),
  expiryDate: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'expiryDate: when the access token ends, in Unix milliseconds.',
    }),
  ),
  scope: Type.Optional(scope),
})
export type TokenInput = Static<typeof TokenInput>

/** What Google's redirect brings. */
export const CallbackInput = Type.Object({
  state,
  code: Type.Optional(code),
  error: Type.Optional(text(1000, 'error: a code of an error.')),
})
export type CallbackInput = Static<typeof CallbackInput>
