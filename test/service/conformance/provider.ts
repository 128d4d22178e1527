import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { ScimProfile } from '../../../src/scim/schema/resource-type.ts'
import type { Client } from '../../support/client.ts'
import type { Provider } from './requirement.ts'

/** Creates a directory for the test of a requirement. */
export async function createProvider(client: Client, profile: ScimProfile = 'tolerant'): Promise<Provider> {
  return providerOf(client, await client.createDirectory({ scim_profile: profile }), profile)
}

function providerOf(client: Client, directory: DirectoryView, profile: ScimProfile): Provider {
  const sent = (method: string, path: string, body: unknown) =>
    profile === 'strict' ? withSchemas(method, path, body) : body
  return {
    profile,
    scimUrl: directory.scim.endpoint,
    send: (method, path, body, headers) => client.scim(directory, method, path, sent(method, path, body), headers),
    sendBare: (method, path, body, headers = {}) =>
      client.request(method, directory.scim.path + path, {
        body: sent(method, path, body),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
      }),
    another: () => createProvider(client, profile),
  }
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:'
const messages = 'urn:ietf:params:scim:api:messages:2.0:'

/**
 * A body with the `schemas` that a strict directory requires: the tests leave them out where they are about something else.
 * A body that has `schemas` is sent as it is.
 */
function withSchemas(method: string, path: string, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Buffer.isBuffer(body)) return body
  const names = Object.keys(body)
  const isComplete = names.some((name) => name.toLowerCase() === 'schemas')
  const schemas = isComplete ? {} : { schemas: schemasOf(method, path.toLowerCase(), names) }
  const { Operations: operations } = body as { Operations?: unknown }
  if (!path.toLowerCase().startsWith('/bulk') || !Array.isArray(operations)) return { ...schemas, ...body }
  return { ...schemas, ...body, Operations: operations.map(completeOperation) }
}

function completeOperation(operation: { method?: unknown; path?: unknown; data?: unknown } | null): unknown {
  if (typeof operation?.method !== 'string' || typeof operation.path !== 'string') return operation
  const path = `/${operation.path.replace(/^\/+/, '')}`
  return { ...operation, data: withSchemas(operation.method.toUpperCase(), path, operation.data) }
}

function schemasOf(method: string, path: string, names: readonly string[]): string[] {
  if (method === 'PATCH') return [`${messages}PatchOp`]
  if (path.includes('.search')) return [`${messages}SearchRequest`]
  if (path.startsWith('/bulk')) return [`${messages}BulkRequest`]
  const extensions = names.filter((name) => /^urn:ietf:params:scim:schemas:extension:/i.test(name))
  return [`${core}${path.startsWith('/groups') ? 'Group' : 'User'}`, ...extensions]
}
