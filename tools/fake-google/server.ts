import { callApi } from './api/call.ts'
import type { ApiContext } from './api/context.ts'
import { createApiContext } from './api/context.ts'
import { ApiError, apiErrorReply } from './api/errors.ts'
import type { Fault } from './fault.ts'
import { corrupted, replyOfFault } from './fault.ts'
import type { HandledRequest } from './http.ts'
import { openLoopback } from './http.ts'
import type { Knobs } from './knobs.ts'
import { usualKnobs } from './knobs.ts'
import { emptyState } from './model/state.ts'
import type { WorkspaceModel } from './model/workspace-model.ts'
import { createWorkspaceModel } from './model/workspace-model.ts'
import { TokenError } from './oauth/errors.ts'
import type { OAuth } from './oauth/oauth.ts'
import { createOAuth } from './oauth/oauth.ts'
import type { Reply } from './reply.ts'
import type { FakeRequest, RequestCounts } from './request.ts'
import { createRequestCounter } from './request.ts'

/** The options of a fake Google. */
export interface FakeGoogleOptions {
  /** Default: `C0fake001`. */
  readonly customerId?: string
  /** The customer's domains, the primary one first. Default: `example.com`. */
  readonly domains?: readonly string[]
  /** The registered redirect URIs. By default, any is accepted. */
  readonly redirectUris?: readonly string[]
  /** Unix milliseconds, for tokens and the times of users. */
  readonly clock?: () => number
}

/** A running fake with one customer and methods to change its Workspace. */
export interface FakeGoogle
  extends WorkspaceModel,
    Pick<OAuth, 'issueTokens' | 'registerServiceAccount' | 'expireAccessTokens' | 'revokeAll'>,
    AsyncDisposable {
  /** Without a trailing slash, like all URLs here. */
  readonly url: string
  readonly authUrl: string
  readonly tokenUrl: string
  /** The root before `/admin/directory/v1`. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The administrator who consents: `admin@` the primary domain, who is none of the users. */
  readonly adminEmail: string
  readonly requests: RequestCounts
  readonly knobs: Knobs
  /** Reads and sets `knobs.onRequest`. */
  onRequest: Knobs['onRequest']
}

const clientId = 'fake-client.apps.googleusercontent.com'
const clientSecret = 'GOCSPX-fake-client-secret'

/** Starts a fake Google on a loopback port, which stops when it is disposed. */
export async function startFakeGoogle(options: FakeGoogleOptions = {}): Promise<FakeGoogle> {
  const { customerId = 'C0fake001', domains = ['example.com'], redirectUris, clock = Date.now } = options
  const adminEmail = `admin@${domains[0] ?? 'example.com'}`
  const server = await openLoopback()
  const addresses = addressesOf(server.url)
  const knobs = usualKnobs()
  const state = emptyState(customerId, domains, clock)
  const requests = createRequestCounter()
  const client = { clientId, clientSecret, redirectUris }
  const oauth = createOAuth({
    client,
    adminEmail,
    tokenUrl: addresses.tokenUrl,
    knobs,
    domains: state.domains,
    now: clock,
  })
  const api = createApiContext({ state, knobs, now: clock })
  const respond = createRequestHandler({ api, oauth })
  server.serve({ requests, respond })
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
    [Symbol.asyncDispose]: server.close,
  }
}

function addressesOf(url: string) {
  return {
    url,
    authUrl: `${url}/o/oauth2/v2/auth`,
    tokenUrl: `${url}/token`,
    apiUrl: url,
  }
}

export interface RequestHandlerParts {
  readonly api: ApiContext
  readonly oauth: OAuth
}

/** Creates the handler of requests, which applies the fault that `onRequest` returns. */
export function createRequestHandler({ api, oauth }: RequestHandlerParts) {
  async function done(request: FakeRequest, fault: Fault | undefined): Promise<Reply> {
    const { endpoint } = request
    if (endpoint === 'authorize') return oauth.authorize(request)
    if (endpoint === 'token') return oauth.token(request)
    return callApi(api, oauth, endpoint, { request, fault })
  }

  return async (request: FakeRequest): Promise<HandledRequest> => {
    const fault = faultOf(api, request)
    if (fault instanceof Error) return { reply: apiErrorReply('internal-error', fault.message), fault: undefined }
    if (fault?.kind === 'slow') await Promise.allSettled([fault.until])
    if (fault?.kind === 'cut' && fault.when === 'before') return { reply: undefined, fault }
    const reply = replyOfFault(fault) ?? (await done(request, fault).catch(replyOfError))
    return { reply: corrupted(fault, reply), fault }
  }
}

/** The fault of the hook. An error that it throws is reported in the response, because nothing else would show it. */
function faultOf({ knobs }: ApiContext, request: FakeRequest): Fault | Error | undefined {
  try {
    return knobs.onRequest(request)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function replyOfError(error: unknown): Reply {
  if (error instanceof ApiError || error instanceof TokenError) return error.reply
  return apiErrorReply('internal-error', error instanceof Error ? error.message : String(error))
}

/** The service settings that point to a fake Google. */
export function settingsOf({ clientId, clientSecret, authUrl, tokenUrl, apiUrl }: FakeGoogle) {
  return {
    DSYNC_EXTDIR_CLIENT_ID: clientId,
    DSYNC_EXTDIR_CLIENT_SECRET: clientSecret,
    DSYNC_EXTDIR_AUTH_URL: authUrl,
    DSYNC_EXTDIR_TOKEN_URL: tokenUrl,
    DSYNC_EXTDIR_API_URL: apiUrl,
  }
}
