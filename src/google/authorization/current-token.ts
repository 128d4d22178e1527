import type { GoogleConnection } from '../../directory/directory.ts'

/** How long before its end a token is renewed, in milliseconds. */
export const renewBeforeMs = 300_000

/** The access token that is stored, unless it has to be renewed; one whose end nobody knows is good until it is refused. */
export function currentToken(extdir: GoogleConnection, now: number, refused: string | undefined): string | undefined {
  const { accessToken, refreshToken, accessTokenExpiresAt: end = Number.POSITIVE_INFINITY } = extdir
  const marginMs = refreshToken === undefined ? 0 : renewBeforeMs
  return accessToken === refused || end - marginMs <= now ? undefined : accessToken
}

/** Whether both reach Google by the same tokens and the same service account. */
export function isSameGrant(a: GoogleConnection, b: GoogleConnection): boolean {
  const grant = ({ accessToken, refreshToken, serviceAccount }: GoogleConnection) =>
    JSON.stringify([accessToken, refreshToken, serviceAccount])
  return grant(a) === grant(b)
}

/**
 * Whether nobody consented, and nobody changed the service account, between the two: a renewed access token is no new
 * consent. A rotated refresh token counts as one, as it cannot be told from it.
 */
export function isSameConsent(a: GoogleConnection, b: GoogleConnection): boolean {
  const consent = ({ accessToken, refreshToken, serviceAccount }: GoogleConnection) =>
    JSON.stringify([refreshToken ?? accessToken, serviceAccount])
  return consent(a) === consent(b)
}
