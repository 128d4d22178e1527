import type { ResourceType } from '../scim/schema/resource-type.ts'
import type { GroupReference } from './group.ts'

/**
 * The address of a resource.
 *
 * @param scimUrl the address of its directory's service provider
 */
export function locationOf(endpoint: ResourceType['endpoint'], id: string, scimUrl: string): string {
  return `${scimUrl}${endpoint}/${encodeURIComponent(id)}`
}

/** Generated ids need no escaping in an address or in JSON. */
const plainId = /^[\w-]+$/

/** The JSON texts of resource addresses, by id. */
export function locationTexts(endpoint: ResourceType['endpoint'], scimUrl: string): (id: string) => string {
  const start = JSON.stringify(locationOf(endpoint, '', scimUrl)).slice(0, -1)
  return (id) => (plainId.test(id) ? `${start}${id}"` : JSON.stringify(locationOf(endpoint, id, scimUrl)))
}

/** A cache of the JSON texts of groups, for users that share groups. */
export type ReferenceTexts = Map<GroupReference, string>

/**
 * The JSON text of a user's `groups` (RFC 7643 §4.1.2).
 *
 * @param known cache of the text of each group
 */
export function groupReferencesText(
  groups: readonly GroupReference[],
  scimUrl: string,
  known?: ReferenceTexts,
): string {
  return `[${groupReferenceTexts(groups, scimUrl, known)}]`
}

/** Like `groupReferencesText`, without the brackets. */
export function groupReferenceTexts(
  groups: readonly GroupReference[],
  scimUrl: string,
  known?: ReferenceTexts,
): string {
  return groups.map((group) => referenceText(group, scimUrl, known)).join(',')
}

function referenceText(group: GroupReference, scimUrl: string, known: ReferenceTexts | undefined): string {
  const made = known?.get(group)
  if (made !== undefined) return made
  const { id: value, name: display } = group
  const text = JSON.stringify({ value, $ref: locationOf('/Groups', value, scimUrl), display, type: 'direct' })
  known?.set(group, text)
  return text
}
