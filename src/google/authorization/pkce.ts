import { hash } from 'node:crypto'

/** What is sent ahead of a code verifier (RFC 7636 §4.2, S256). */
export function codeChallengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url')
}
