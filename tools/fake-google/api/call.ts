import type { JsonObject } from '../../../src/scim/json.ts'
import type { Endpoint } from '../endpoint.ts'
import type { OAuth } from '../oauth/oauth.ts'
import { scopePrefix } from '../oauth/scopes.ts'
import type { Reply } from '../reply.ts'
import { jsonReply } from '../reply.ts'
import type { ApiCall, ApiContext } from './context.ts'
import { ApiError } from './errors.ts'
import { getGroup, listGroups } from './groups.ts'
import { hasMember, listMembers } from './members.ts'
import { getUser, listUsers } from './users.ts'

type ApiEndpoint = Exclude<Endpoint, 'authorize' | 'token'>

interface Call {
  readonly handle: (context: ApiContext, call: ApiCall) => JsonObject
  /** The accepted scopes, any of which is enough. */
  readonly scopes: readonly string[]
}

const userScopes = [`${scopePrefix}admin.directory.user.readonly`]
const groupScopes = [`${scopePrefix}admin.directory.group.readonly`]
const memberScopes = [...groupScopes, `${scopePrefix}admin.directory.group.member.readonly`]

const calls: Readonly<Record<ApiEndpoint, Call>> = {
  'users.list': { handle: listUsers, scopes: userScopes },
  'users.get': { handle: getUser, scopes: userScopes },
  'groups.list': { handle: listGroups, scopes: groupScopes },
  'groups.get': { handle: getGroup, scopes: groupScopes },
  'members.list': { handle: listMembers, scopes: memberScopes },
  'members.hasMember': { handle: hasMember, scopes: memberScopes },
}

/**
 * Checks the token and the scopes of a request to the Directory API, and handles it.
 *
 * @throws ApiError
 */
export function callApi(context: ApiContext, oauth: OAuth, endpoint: ApiEndpoint, call: ApiCall): Reply {
  const { handle, scopes } = calls[endpoint]
  const bearer = oauth.bearerOf(call.request)
  if (bearer === undefined) throw new ApiError('auth-error')
  if (!scopes.some((scope) => bearer.scopes.includes(scope))) throw new ApiError('insufficient-permissions')
  return jsonReply(200, handle(context, call))
}
