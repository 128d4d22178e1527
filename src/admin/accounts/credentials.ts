/** What an admin sends in the `Authorization` header (design §4.4). */
export type Credentials =
  | { readonly kind: 'login'; readonly rootToken: string }
  | { readonly kind: 'three-part'; readonly id: string; readonly token: string; readonly rootToken: string }
  | { readonly kind: 'bearer'; readonly jwt: string }

const maxHeaderLength = 8192

// No part can hold a blank, so each is there once, in this order, and single blanks are all that is between them.
const login = /^token=(?<rootToken>[\x21-\x7e]+)$/
const threePart = /^id=(?<id>[\w-]{1,100}) token=(?<token>[\w-]{43}) admin_token=(?<rootToken>[\x21-\x7e]+)$/
const bearer = /^bearer (?<jwt>[\w-]+\.[\w-]+\.[\w-]+)$/i

/** Reads a header to the letter: what is nearly right is undefined. Nothing is said of whether the secrets are. */
export function parseCredentials(header: string | undefined): Credentials | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined
  const { id, token, rootToken, jwt } = {
    ...(login.exec(header) ?? threePart.exec(header) ?? bearer.exec(header))?.groups,
  }
  if (jwt !== undefined) return { kind: 'bearer', jwt }
  if (rootToken === undefined) return undefined
  if (id === undefined || token === undefined) return { kind: 'login', rootToken }
  return { kind: 'three-part', id, token, rootToken }
}
