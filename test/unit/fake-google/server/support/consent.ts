import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { googleScopes } from '../../../../../src/google/client/oauth.ts'
import type { FakeGoogle } from '../../../../../tools/fake-google/server.ts'
import type { Answer } from './calls.ts'
import { postToken } from './calls.ts'

export const callback = 'https://app.example.com/callback?tenant=1'
export const verifier = 'a-verifier-of-at-least-forty-three-characters'

/** A valid authorization request; undefined parameters are omitted. */
export function authorizationUrl(fake: FakeGoogle, change: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: fake.clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: googleScopes.join(' '),
    access_type: 'offline',
    prompt: 'consent',
    state: 'the state & more',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return `${fake.authUrl}?${query}`
}

/** The URL that the browser is redirected to. */
export async function sentBack(fake: FakeGoogle, change?: Parameters<typeof authorizationUrl>[1]) {
  const response = await fetch(authorizationUrl(fake, change), { redirect: 'manual' })
  assert.equal(response.status, 302, await response.text())
  return new URL(response.headers.get('location') ?? '').searchParams
}

/** Exchanges a code; fields override the valid ones. */
export function exchange(fake: FakeGoogle, code: string, fields: Readonly<Record<string, string>> = {}) {
  const right = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  return postToken(fake, { ...right, ...fields })
}

/** Consents and exchanges the code. */
export async function connect(fake: FakeGoogle, change?: Parameters<typeof authorizationUrl>[1]): Promise<Answer> {
  return exchange(fake, (await sentBack(fake, change)).get('code') ?? '')
}
