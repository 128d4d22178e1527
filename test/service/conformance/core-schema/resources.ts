import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import type { Provider } from '../requirement.ts'

/** A JSON object with unknown attributes. */
export type Fields = Readonly<Record<string, unknown>>

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The body of a response, for attributes that only some resources have. */
export function fieldsOf({ body }: Answer): Fields {
  return body as unknown as Fields
}

/** Creates a user, named `bjensen` unless the fields say otherwise. */
export function createUser(provider: Provider, fields: Fields = {}): Promise<Answer> {
  return create(provider, '/Users', { schemas: [userUrn], userName: 'bjensen', ...fields })
}

/** Creates a group, named `Tour Guides` unless the fields say otherwise. */
export function createGroup(provider: Provider, fields: Fields = {}): Promise<Answer> {
  return create(provider, '/Groups', { schemas: [groupUrn], displayName: 'Tour Guides', ...fields })
}

async function create(provider: Provider, path: string, fields: Fields): Promise<Answer> {
  const response = await provider.send('POST', path, fields)
  assert.equal(response.status, 201, response.text)
  return response
}

/** The path of a resource below the base URL of its directory. */
export function pathOf(provider: Provider, { body }: Answer): string {
  return body.meta.location.slice(provider.scimUrl.length)
}

/** Reads a resource, optionally with a query. */
export async function reread(provider: Provider, resource: Answer, query = ''): Promise<Answer> {
  const response = await provider.send('GET', pathOf(provider, resource) + query)
  assert.equal(response.status, 200, response.text)
  return response
}

/** The ids of the users that match a filter. */
export async function findUsers(provider: Provider, filter: string): Promise<string[]> {
  const response = await provider.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
  assert.equal(response.status, 200, response.text)
  return response.body.Resources.map(({ id }) => id)
}

/** The body of a PATCH with these operations. */
export function patchOf(...operations: readonly Fields[]): Fields {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}
