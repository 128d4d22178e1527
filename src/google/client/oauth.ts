import type { ServiceAccount } from '../../directory/directory.ts'
import { signAssertion } from './assertion.ts'
import { GoogleFailure } from './failure.ts'
import type { PaceOptions } from './pace.ts'
import { createPace } from './pace.ts'
import { googleScopes } from './scopes.ts'
import type { Grant } from './token-answer.ts'
import { readTokenAnswer } from './token-answer.ts'
import { createPostForm } from './token-endpoint.ts'
import type { GoogleOAuth } from './token-set.ts'

export interface GoogleOAuthOptions extends Pick<PaceOptions, 'now' | 'sleep' | 'random'> {
  /** Of the OAuth client in our Google project; service accounts do without. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Where administrators consent. */
  readonly authUrl: string
  /** The only address that codes, refresh tokens and assertions are sent to. */
  readonly tokenUrl: string
  /** 30 s when left out. */
  readonly requestTimeoutMs?: number
  /** Stops what is under way, when the service stops. */
  readonly signal?: AbortSignal
}

/** Somebody may be waiting for the answer: better a failure soon. */
const tries = { maxConcurrent: 1, maxTries: 3, maxRetryAfterMs: 10_000 } as const

/** Google's OAuth at the given addresses. */
export function createGoogleOAuth(options: GoogleOAuthOptions): GoogleOAuth {
  const { clientId, clientSecret, authUrl, tokenUrl, now, sleep, random, requestTimeoutMs = 30_000 } = options
  const signal = options.signal ?? new AbortController().signal
  const post = createPostForm({ tokenUrl, requestTimeoutMs, signal })

  /** The form is made anew for each try: an assertion names the time. */
  function ask(grant: Grant, form: () => Readonly<Record<string, string>> | Promise<Record<string, string>>) {
    const pace = createPace({ now, sleep, random, ...tries })
    return pace.run(async () => readTokenAnswer(await post(await form()), grant, now()), signal)
  }

  function client(): { client_id: string; client_secret: string } {
    if (clientId !== undefined && clientSecret !== undefined) {
      return { client_id: clientId, client_secret: clientSecret }
    }
    const names = 'DSYNC_EXTDIR_CLIENT_ID and DSYNC_EXTDIR_CLIENT_SECRET'
    throw new GoogleFailure('configuration', `There is no OAuth client for Google: the operator must set ${names}.`)
  }

  return {
    authorizationUrl({ redirectUri, state, codeChallenge, domain }) {
      const url = new URL(authUrl)
      const parameters = {
        client_id: client().client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: googleScopes.join(' '),
        access_type: 'offline',
        prompt: 'consent',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...(domain === undefined ? {} : { hd: domain }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    async exchange({ code, redirectUri, codeVerifier }) {
      const form = { ...client(), grant_type: 'authorization_code', code, redirect_uri: redirectUri }
      const tokens = await ask('code', () => ({ ...form, code_verifier: codeVerifier }))
      return { ...tokens, scope: tokens.scope || googleScopes.join(' ') }
    },
    async refresh(refreshToken) {
      const form = { ...client(), grant_type: 'refresh_token', refresh_token: refreshToken }
      return ask('refresh-token', () => form)
    },
    impersonate(account: ServiceAccount) {
      const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      return ask('service-account', async () => ({
        grant_type,
        assertion: await signAssertion(account, tokenUrl, now()),
      }))
    },
  }
}
