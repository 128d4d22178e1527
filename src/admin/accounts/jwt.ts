import { createSecretKey } from 'node:crypto'

const issuer = 'rollcall'
const audience = 'rollcall-admin'
const lifetimeSeconds = 3600
const maxLength = 4096

/** The admin token that a JWT belongs to; `expiresAt` in Unix milliseconds. */
export interface JwtSubject {
  readonly userId: string
  readonly tokenId: string
  readonly expiresAt: number
}

/** The JWTs of admins: HS256, valid for an hour, and only as long as their admin token. */
export interface Jwts {
  sign(subject: Pick<JwtSubject, 'userId' | 'tokenId'>): Promise<string>
  /** Undefined unless this service signed the JWT and it is valid now. */
  verify(jwt: string): Promise<JwtSubject | undefined>
}

/** Loaded when the first JWT is made or verified: most services have none. */
const jose = () => import('jose')

/**
 * @param secret 32 bytes in base64url
 * @param clock Unix milliseconds
 */
export function createJwts(secret: string, clock: () => number): Jwts {
  const key = createSecretKey(secret, 'base64url')

  async function payloadOf(jwt: string) {
    const { jwtVerify } = await jose()
    const { payload } = await jwtVerify(jwt, key, {
      ...{ algorithms: ['HS256'], typ: 'JWT', issuer, audience },
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
      currentDate: new Date(clock()),
    })
    return payload
  }

  return {
    async sign({ userId, tokenId }) {
      const { SignJWT } = await jose()
      const now = Math.floor(clock() / 1000)
      const jwt = new SignJWT().setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setIssuer(issuer).setAudience(audience)
      const bound = jwt.setSubject(userId).setJti(tokenId)
      return bound
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key)
    },
    async verify(jwt) {
      if (jwt.length > maxLength) return undefined
      try {
        const { sub: userId, jti: tokenId, exp } = await payloadOf(jwt)
        if (typeof userId !== 'string' || typeof tokenId !== 'string' || exp === undefined) return undefined
        return { userId, tokenId, expiresAt: exp * 1000 }
      } catch (error) {
        const { errors } = await jose()
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}
