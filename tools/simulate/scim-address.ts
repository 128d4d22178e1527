import { isObject, own } from '../../src/scim/json.ts'
import type { ApiClient } from './api-client.ts'
import { ApiError } from './api-client.ts'

/** Where a directory's users and groups are provisioned, and with which secret. */
export interface ScimAddress {
  readonly scimUrl: string
  readonly secret: string
}

/**
 * Asks the API for a directory's SCIM address.
 * @throws ApiError when there is no such directory, or it is one that is pulled
 */
export async function fetchScimAddress(api: ApiClient, directoryId: string): Promise<ScimAddress> {
  return scimAddressOf(await api.call('GET', `/${encodeURIComponent(directoryId)}`))
}

/**
 * Reads the SCIM address from a directory as the API gives it.
 * @throws ApiError when it has none: a directory that is pulled is not provisioned
 */
export function scimAddressOf(directory: unknown): ScimAddress {
  const scim = isObject(directory) ? own(directory, 'scim') : undefined
  const [scimUrl, secret] = isObject(scim) ? [own(scim, 'endpoint'), own(scim, 'secret')] : []
  if (typeof scimUrl === 'string' && scimUrl !== '' && typeof secret === 'string') return { scimUrl, secret }
  throw new ApiError('This directory has no SCIM address: Rollcall pulls from it, nothing provisions it.')
}
