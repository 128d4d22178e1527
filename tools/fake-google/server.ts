import { callApi } from './api/call.ts'
import type { ApiContext } from './api/context.ts'
import { createApiContext } from './api/context.ts'
import { ApiError, apiErrorReply } from './api/errors.ts'
import type { Fault } from './fault.ts'
import { corrupted, replyOfFault } from './fault.ts'
import type { HandledRequest } from './http.ts'
import { openLoopback } from './http.ts'
import type { Knobs } from './knobs.ts'
import { createQuota, usualKnobs } from './knobs.ts'
import { emptyState } from './model/state.ts'
import type { WorkspaceModel } from './model/workspace-model.ts'
import { createWorkspaceModel } from './model/workspace-model.ts'
import { TokenError } from './oauth/errors.ts'
import type { OAuth } from './oauth/oauth.ts'
import { createOAuth } from './oauth/oauth.ts'
import type { Reply } from './reply.ts'
import type { FakeRequest, RequestCounts } from './request.ts'
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
  const answer = createRequestHandler({ api, oauth })
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

export interface RequestHandlerParts {
  readonly api: ApiContext
  readonly oauth: OAuth
}

/** Answers requests, after what is to go wrong with them has been asked for. */
export function createRequestHandler({ api, oauth }: RequestHandlerParts) {
  const quota = createQuota(api.knobs, api.now)

  function done(request: FakeRequest, fault: Fault | undefined): Reply {
    const { endpoint } = request
    if (endpoint === 'authorize') return oauth.authorize(request)
    if (endpoint === 'token') return oauth.token(request)
    if (endpoint === 'revoke') return oauth.revoke(request)
    quota.take()
    return callApi(api, oauth, endpoint, { request, fault })
  }

  return async (request: FakeRequest): Promise<HandledRequest> => {
    const fault = faultOf(api, request)
    if (fault instanceof Error) return { reply: apiErrorReply('internal-error', fault.message), fault: undefined }
    if (fault?.kind === 'slow') await Promise.allSettled([fault.until])
    if (fault?.kind === 'cut' && fault.when === 'before') return { reply: undefined, fault }
    const reply = replyOfFault(fault) ?? replyOrError(() => done(request, fault))
    return { reply: corrupted(fault, reply), fault }
  }
}

/** A hook that throws is told of in the answer, as nobody else is there to hear of it. */
function faultOf({ knobs }: ApiContext, request: FakeRequest): Fault | Error | undefined {
  try {
    return knobs.onRequest(request)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function replyOrError(make: () => Reply): Reply {
  try {
    return make()
  } catch (error) {
    if (error instanceof ApiError || error instanceof TokenError) return error.reply
    return apiErrorReply('internal-error', error instanceof Error ? error.message : String(error))
  }
}

/** The settings of a service that lead to a fake Google. */
export function settingsOf({ clientId, clientSecret, authUrl, tokenUrl, apiUrl }: FakeGoogle) {
  return {
    DSYNC_EXTDIR_CLIENT_ID: clientId,
    DSYNC_EXTDIR_CLIENT_SECRET: clientSecret,
    DSYNC_EXTDIR_AUTH_URL: authUrl,
    DSYNC_EXTDIR_TOKEN_URL: tokenUrl,
    DSYNC_EXTDIR_API_URL: apiUrl,
  }
}
