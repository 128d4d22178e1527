/** The credentials of an admin in the `Authorization` header: of a login, or of a request after it. */
export type Credentials =
  | { readonly kind: 'login'; readonly rootToken: string }
  | { readonly kind: 'three-part'; readonly id: string; readonly token: string; readonly rootToken: string }
  | { readonly kind: 'bearer'; readonly jwt: string }

const maxHeaderLength = 8192

// Each part occurs once, in this order, separated by single spaces, and contains no space.
const login = /^token=(?<rootToken>[\x21-\x7e]+)$/
const threePart = /^id=(?<id>[\w-]{1,100}) token=(?<token>[\w-]{43}) admin_token=(?<rootToken>[\x21-\x7e]+)$/
const bearer = /^bearer (?<jwt>[\w-]+\.[\w-]+\.[\w-]+)$/i

/** Parses a header strictly; undefined for any other form. The secrets are not checked. */
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
