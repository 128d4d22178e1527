import type { Directory } from '../directory/directory.ts'
import { scimPath } from '../directory/directory-view.ts'
import { withCurrentDirectory } from '../provisioning/lifecycle.ts'
import { ScimError } from '../scim/errors.ts'
import { parseListQuery, parseSearchRequest } from '../scim/list-query.ts'
import { groupSource } from './group-source.ts'
import { groupOperations } from './groups.ts'
import type {
  Operation,
  OperationContext,
  ScimCaller,
  ScimEndpoint,
  ScimMethod,
  ScimRequest,
  ScimResponse,
  ServiceProvider,
} from './request.ts'
import { listResponse } from './search.ts'
import { userSource } from './user-source.ts'
import { userOperations } from './users.ts'

/** Lists users and groups together (RFC 7644 §3.4.2.1). */
async function listAll(context: OperationContext, { query, isAbandoned }: ScimRequest): Promise<ScimResponse> {
  const list = parseListQuery(query)
  return listResponse(context, [userSource(context, list), groupSource(context, list)], list, isAbandoned)
}

/** Searches users and groups together (RFC 7644 §3.4.3). */
async function searchAll(context: OperationContext, { body, isAbandoned }: ScimRequest): Promise<ScimResponse> {
  const list = parseSearchRequest(body, context.profile)
  return listResponse(context, [userSource(context, list), groupSource(context, list)], list, isAbandoned)
}

/** Every operation on users and groups (RFC 7644 §3.2). */
export const operations: Readonly<Record<ScimEndpoint, Partial<Record<ScimMethod, Operation>>>> = {
  '/Users': { GET: userOperations.list, POST: userOperations.create },
  '/Users/.search': { POST: userOperations.search },
  '/Users/:id': {
    GET: userOperations.read,
    PUT: userOperations.replace,
    PATCH: userOperations.patch,
    DELETE: userOperations.remove,
  },
  '/Groups': { GET: groupOperations.list, POST: groupOperations.create },
  '/Groups/.search': { POST: groupOperations.search },
  '/Groups/:id': {
    GET: groupOperations.read,
    PUT: groupOperations.replace,
    PATCH: groupOperations.patch,
    DELETE: groupOperations.remove,
  },
  '/': { GET: listAll },
  '/.search': { POST: searchAll },
}

/**
 * Performs a SCIM request for an authorized caller and reports its commits. If the record of the directory has changed
 * in the meantime, the caller is authorized again.
 *
 * @throws ScimError, DirectoryError when the request is invalid, or the change or the caller is not allowed
 */
export function perform(provider: ServiceProvider, caller: ScimCaller, request: ScimRequest): Promise<ScimResponse> {
  const authorizeAgain = ({ id }: Directory) => {
    provider.access.forget(id)
    return provider.access.authorize(id, caller.secret)
  }
  return withCurrentDirectory(caller.directory, authorizeAgain, (directory) => performIn(provider, directory, request))
}

async function performIn(provider: ServiceProvider, stored: Directory, request: ScimRequest): Promise<ScimResponse> {
  const { endpoint, method, requestId, receivedAt } = request
  const operation = operations[endpoint][method]
  if (operation === undefined) throw new ScimError(405, undefined, `${method} is not possible at ${endpoint}.`)
  const { provisioning, newId } = provider
  const { id: directoryId, tenant, scimProfile: profile = 'tolerant' } = stored
  const directory = profile === 'strict' ? { ...stored, uniqueGroupNames: true } : stored
  const scimUrl = `${provider.externalUrl()}${scimPath(directoryId)}`
  const slices = { next: () => provider.slices.next(tenant) }
  const cause = { requestId, at: provider.clock(), receivedAt }
  const response = await operation({ provisioning, newId, slices, directory, profile, scimUrl, cause }, request)
  const { events, skippedMembers: count = 0 } = response
  if (events.length > 0) provider.onCommit(directory)
  if (count > 0) provider.onSkippedMembers({ directoryId, requestId, count })
  return response
}
