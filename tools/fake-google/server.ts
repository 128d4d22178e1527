import { createAnswering } from './answer.ts'
import { createApiContext } from './api/context.ts'
import { openLoopback } from './http.ts'
import type { Knobs } from './knobs.ts'
import { usualKnobs } from './knobs.ts'
import { emptyState } from './model/state.ts'
import type { WorkspaceModel } from './model/workspace-model.ts'
import { createWorkspaceModel } from './model/workspace-model.ts'
import type { OAuth } from './oauth/oauth.ts'
import { createOAuth } from './oauth/oauth.ts'
import type { RequestCounts } from './request.ts'
import { createRequestCounter } from './request.ts'

/** What may be said of a fake Google before it starts. */
export interface FakeGoogleOptions {
  /** `C0fake001` when left out. */
  readonly customerId?: string
  /** Of the customer, the main one first; `example.com` when left out. */
  readonly domains?: readonly string[]
  /** Who consents; `admin@` the main domain when left out. Need not be among the users: then nothing happens to it. */
  readonly adminEmail?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** The callbacks of the client; any address when left out. */
  readonly redirectUris?: readonly string[]
  /** Unix milliseconds; of tokens, page tokens, quota and the times of users. */
  readonly clock?: () => number
  /** A free one when left out. */
  readonly port?: number
  /** Gets one line per request, without tokens. */
  readonly log?: (line: string) => void
}

/** A running Google with one customer, whose Workspace is changed by its methods. */
export interface FakeGoogle
  extends WorkspaceModel,
    Pick<OAuth, 'issueTokens' | 'registerServiceAccount' | 'expireAccessTokens' | 'revokeAll'>,
    AsyncDisposable {
  /** Without a slash at its end, as all addresses. */
  readonly url: string
  readonly authUrl: string
  readonly tokenUrl: string
  readonly revokeUrl: string
  /** The root before `/admin/directory/v1`. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly adminEmail: string
  readonly requests: RequestCounts
  readonly knobs: Knobs
  /** The knob of this name. */
  onRequest: Knobs['onRequest']
  /** Page tokens given so far are not known any more. */
  forgetPageTokens(): void
}

/** Starts a Google on a loopback port; it ends when it is disposed of. */
export async function startFakeGoogle(options: FakeGoogleOptions = {}): Promise<FakeGoogle> {
  const { customerId = 'C0fake001', domains = ['example.com'], clock = Date.now } = options
  const { adminEmail = `admin@${domains[0] ?? 'example.com'}`, redirectUris } = options
  const { clientId = 'fake-client.apps.googleusercontent.com', clientSecret = 'GOCSPX-fake-client-secret' } = options
  const server = await openLoopback(options.port ?? 0)
  const addresses = addressesOf(server.url)
  const knobs = usualKnobs(adminEmail)
  const state = emptyState(customerId, domains, clock)
  const requests = createRequestCounter()
  const client = { clientId, clientSecret, redirectUris }
  const oauth = createOAuth({ client, adminEmail, tokenUrl: addresses.tokenUrl, knobs, state, now: clock })
  const api = createApiContext({ state, knobs, now: clock })
  const answer = createAnswering({ api, oauth })
  server.serve({ requests, answer, log: options.log ?? (() => {}) })
  return {
    ...createWorkspaceModel(state),
    ...addresses,
    clientId,
    clientSecret,
    adminEmail,
    requests,
    knobs,
    issueTokens: oauth.issueTokens,
    registerServiceAccount: oauth.registerServiceAccount,
    expireAccessTokens: oauth.expireAccessTokens,
    revokeAll: oauth.revokeAll,
    get onRequest() {
      return knobs.onRequest
    },
    set onRequest(hook) {
      knobs.onRequest = hook
    },
    forgetPageTokens: api.forgetPageTokens,
    [Symbol.asyncDispose]: server.close,
  }
}

function addressesOf(url: string) {
  return {
    url,
    authUrl: `${url}/o/oauth2/v2/auth`,
    tokenUrl: `${url}/token`,
    revokeUrl: `${url}/revoke`,
    apiUrl: url,
  }
}
