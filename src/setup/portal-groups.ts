import type { Directory } from '../directory/directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import type { ListPosition } from '../directory/list.ts'
import type { Mappings } from '../mapping/mappings.ts'
import { isText, isWhole, pageOf, pageTokens } from '../reads/page.ts'
import { parseQuery } from '../reads/paging.ts'
import type { Reads } from '../reads/reads.ts'
import { eachItem, wholeText } from '../scim/json-list.ts'
import { groupRolesIn, refusalOf } from './group-roles.ts'
import { PortalGroupsQuery } from './inputs.ts'
import type { SetupLink } from './setup-link.ts'

/** A group that has arrived, for the holder of a setup link. */
export interface PortalGroup {
  readonly id: string
  readonly name: string
  /** The number of direct members. */
  readonly members: number
  /** The role that the customer gave it. */
  readonly role: string | null
  /** Whether the link can change the role: false if the role is none of the link, or the product has changed the rule. */
  readonly can_change: boolean
}

export interface PortalGroupsPage {
  readonly groups: readonly PortalGroup[]
  readonly pageToken: string | undefined
}

export interface PortalGroupsParts {
  readonly store: Pick<DirectoryReads, 'countMembers' | 'listGroups'>
  readonly mappings: Pick<Mappings, 'own'>
  readonly reads: Pick<Reads, 'groups'>
}

/** A link with the directory that it is for. */
export interface OpenedLink {
  readonly link: SetupLink
  readonly directory: Directory
}

/**
 * The groups that have arrived, with their roles, in the order of their names; with `search`, those that have a word that begins with it.
 *
 * @throws DirectoryError `invalid-input`
 */
export async function portalGroups(
  { link, directory: { id } }: OpenedLink,
  query: unknown,
  { store, mappings, reads }: PortalGroupsParts,
): Promise<PortalGroupsPage> {
  const { search, pageLimit = defaultGroups, pageToken } = parseQuery(PortalGroupsQuery, query)
  const { found, next } =
    search === undefined
      ? await groupsByName(id, { pageToken, limit: pageLimit }, store)
      : await foundGroups({ directoryId: id, search, pageLimit, pageToken }, reads)
  const [roles, members] = await Promise.all([
    mappings.own(id).then(groupRolesIn),
    store.countMembers(
      id,
      found.map((group) => group.id),
    ),
  ])
  const groups = found.map((group): PortalGroup => {
    const role = roles.get(group.id)?.role ?? null
    const can_change = refusalOf(link.roles, roles.get(group.id)) === undefined
    return { ...group, members: members.get(group.id) ?? 0, role, can_change }
  })
  return { groups, pageToken: next }
}

const defaultGroups = 20

interface FoundGroups {
  readonly found: readonly Pick<PortalGroup, 'id' | 'name'>[]
  readonly next: string | undefined
}

const groupTokens = pageTokens<Omit<ListPosition, 'updatedAt'>>({ name: isText, sequence: isWhole, id: isText })

async function groupsByName(
  directoryId: string,
  { pageToken, limit }: { readonly pageToken: string | undefined; readonly limit: number },
  store: PortalGroupsParts['store'],
): Promise<FoundGroups> {
  const from = groupTokens.read(pageToken) ?? 0
  const found = await store.listGroups(directoryId, { order: 'name', from, limit: limit + 1 })
  const { rows, pageToken: next } = pageOf(found, limit, ({ position }) => groupTokens.write(position))
  return { found: rows.map(({ item }) => ({ id: item.id, name: item.name })), next }
}

async function foundGroups(query: object, reads: PortalGroupsParts['reads']): Promise<FoundGroups> {
  const { rows, pageToken } = await reads.groups(query)
  const texts = await Array.fromAsync(eachItem(rows), wholeText)
  const found = texts.map((text) => {
    const { id, name } = JSON.parse(text) as { readonly id: string; readonly name: string }
    return { id, name }
  })
  return { found, next: pageToken }
}
