import type { Endpoint } from '../../directory/directory.ts'

/** The secrets that sign what is sent at a time in Unix milliseconds: the present one, and the one before in its grace. */
export function signingSecrets({ secret, previousSecret }: Endpoint, nowMs: number): [string, ...string[]] {
  const inGrace = previousSecret !== undefined && previousSecret.expiresAt > nowMs
  return inGrace ? [secret, previousSecret.secret] : [secret]
}
