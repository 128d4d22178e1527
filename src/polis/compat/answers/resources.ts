import type { DirectoryScope } from '../../../directory/directory.ts'
import { DirectoryError } from '../../../directory/errors.ts'
import { parseInput, ScopeInput } from '../../../directory/inputs.ts'
import type { Listing } from '../../../reads/page.ts'
import { scopeOf } from '../../../reads/paging.ts'
import type { JsonBody } from '../../../scim/json-list.ts'
import { wholeText } from '../../../scim/json-list.ts'
import type { ServiceParts } from '../../../service-parts.ts'
import type { NewestFirst } from '../newest-first.ts'
import { newestFirst } from '../newest-first.ts'
import { polisPage } from '../paging.ts'
import { isMissing } from '../problems.ts'
import { polisGroup, polisUser } from '../resources.ts'

export type Fields = Readonly<Record<string, unknown>>

type ResourceParts = Pick<ServiceParts, 'reads' | 'totals'>

/** @throws DirectoryError `invalid-input`, with the message of Polis when nothing names the directory */
export function polisScope({ tenant, product, directoryId }: Fields): DirectoryScope {
  if (isMissing(directoryId) && (isMissing(tenant) || isMissing(product)))
    throw new DirectoryError('invalid-input', 'Set tenant and product before using store.')
  return scopeOf(parseInput(ScopeInput, { tenant, product, directoryId }))
}

const translated = (translate: (row: Fields) => unknown) => (row: string) => JSON.stringify(translate(JSON.parse(row)))

/** Users, newest first. */
export async function polisUsers({ reads, totals }: ResourceParts, query: Fields): Promise<Listing> {
  const scope = polisScope(query)
  const list: NewestFirst = {
    total: await totals.users(scope),
    read: (part) => reads.users({ ...scope, ...part }),
    translate: translated(polisUser),
  }
  // A directory that does not exist is found by the read only.
  if (list.total === 0) await reads.users({ ...scope, pageLimit: 1 })
  return newestFirst(list, polisPage(query))
}

/** Groups without members, newest first. */
export async function polisGroups({ reads, totals }: ResourceParts, query: Fields): Promise<Listing> {
  const scope = polisScope(query)
  const list: NewestFirst = {
    total: await totals.groups(scope),
    read: (part) => reads.groups({ ...scope, ...part }),
    translate: translated(polisGroup),
  }
  if (list.total === 0) await reads.groups({ ...scope, pageLimit: 1 })
  return newestFirst(list, polisPage(query))
}

/** @throws DirectoryError `directory-not-found`, `resource-not-found` */
export async function polisUserOf({ reads }: ResourceParts, id: string, query: Fields): Promise<Fields> {
  return polisUser(await objectIn(reads.user(id, polisScope(query))))
}

/** @throws DirectoryError `directory-not-found`, `resource-not-found` */
export async function polisGroupOf({ reads }: ResourceParts, id: string, query: Fields): Promise<Fields> {
  return polisGroup(await objectIn(reads.group(id, { ...polisScope(query), members: 'false' })))
}

/**
 * The users in a group as `{user_id}`, in the order in which they came.
 *
 * @throws DirectoryError `directory-not-found`, `resource-not-found`
 */
export async function polisMembers({ reads }: ResourceParts, id: string, query: Fields): Promise<Listing> {
  return reads.members(id, { ...polisScope(query), ...pageOf(query) })
}

/** The page of a list that is in the order of Polis anyway. */
export function pageOf(query: Fields) {
  const { offset: pageOffset, limit: pageLimit, token: pageToken } = polisPage(query)
  return { pageLimit, ...(pageToken === undefined ? { pageOffset } : { pageToken }) }
}

async function objectIn(read: Promise<JsonBody>): Promise<Fields> {
  return JSON.parse(await wholeText(await read))
}
