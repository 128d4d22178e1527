import type { ResourceType } from '../scim/schema/resource-type.ts'
import type { GroupReference } from './group.ts'

/** The address of a resource. @param scimUrl the address of its directory's service provider */
export function locationOf(endpoint: ResourceType['endpoint'], id: string, scimUrl: string): string {
  return `${scimUrl}${endpoint}/${encodeURIComponent(id)}`
}

/** The JSON text of a user's `groups` (RFC 7643 §4.1.2). */
export function groupReferencesText(groups: readonly GroupReference[], scimUrl: string): string {
  return JSON.stringify(
    groups.map(({ id, name }) => ({
      value: id,
      $ref: locationOf('/Groups', id, scimUrl),
      display: name,
      type: 'direct',
    })),
  )
}
