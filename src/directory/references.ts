import type { ResourceType } from '../scim/schema/resource-type.ts'
import type { GroupReference } from './group.ts'

/** The address of a resource. @param scimUrl the address of its directory's service provider */
export function locationOf(endpoint: ResourceType['endpoint'], id: string, scimUrl: string): string {
  return `${scimUrl}${endpoint}/${encodeURIComponent(id)}`
}

/** Ids as they are made here: neither an address nor JSON escapes any of their characters. */
const plainId = /^[\w-]+$/

/** The JSON texts of the addresses of resources, by their id. */
export function locationTexts(endpoint: ResourceType['endpoint'], scimUrl: string): (id: string) => string {
  const start = JSON.stringify(locationOf(endpoint, '', scimUrl)).slice(0, -1)
  return (id) => (plainId.test(id) ? `${start}${id}"` : JSON.stringify(locationOf(endpoint, id, scimUrl)))
}

/** The JSON texts of groups as users refer to them, for users that share groups. */
export type ReferenceTexts = Map<GroupReference, string>

/**
 * The JSON text of a user's `groups` (RFC 7643 §4.1.2).
 *
 * @param known remembers the text of each group for the users that follow
 */
export function groupReferencesText(
  groups: readonly GroupReference[],
  scimUrl: string,
  known?: ReferenceTexts,
): string {
  return `[${groupReferenceTexts(groups, scimUrl, known)}]`
}

/** As `groupReferencesText`, without the brackets. */
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
