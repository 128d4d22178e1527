import type { DirectoryScope } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import type { Listing } from '../../reads/page.ts'
import { scopeOf } from '../../reads/paging.ts'
import type { JsonBody } from '../../scim/json-list.ts'
import { wholeText } from '../../scim/json-list.ts'
import type { ServiceParts } from '../../service-parts.ts'
import { isMissing } from './directories.ts'
import type { Fields, NewestFirst } from './paging.ts'
import { newestFirst, polisPage } from './paging.ts'

/**
 * A user as Polis returns it, without its directory and its account in the product: the e-mail address is the first one, and `roles` are those that the
 * identity provider sent.
 */
export function polisUser<T extends Fields>(user: T): Omit<T, 'directory_id' | 'account_id'> {
  const { directory_id, account_id, ...fields } = user
  const raw = objectOf(user['raw'])
  if (raw === undefined) return fields
  const email = firstEmail(raw) ?? user['email']
  const roles = rolesOf(raw)
  return { ...fields, email, ...(roles === undefined ? {} : { roles }) }
}

/** A group as Polis returns it, without its directory: `raw.members` is an empty list, and the members have a route of their own. */
export function polisGroup<T extends Fields>(group: T): Omit<T, 'members' | 'directory_id'> {
  const { members, directory_id, ...fields } = group
  const raw = objectOf(group['raw'])
  return raw === undefined ? fields : { ...fields, raw: { ...raw, members: [] } }
}

/** The data of an event: a user, a group, or a user with its group. */
export function polisData(eventType: string, data: Fields): Fields {
  const group = objectOf(data['group'])
  if (group === undefined && eventType.startsWith('group.')) return polisGroup(data)
  // Events have the further fields of ours.
  const account = 'account_id' in data ? { account_id: data['account_id'] } : {}
  return { ...polisUser(data), ...account, ...(group !== undefined && { group: polisGroup(group) }) }
}

function firstEmail(raw: Fields): string | undefined {
  const { emails, userName } = raw
  const first = Array.isArray(emails) ? textOf(emails[0]) : undefined
  return first ?? (typeof userName === 'string' ? userName : undefined)
}

/** Roles as texts, whatever form they were sent in; undefined without any. */
function rolesOf({ roles }: Fields): string[] | undefined {
  if (!Array.isArray(roles)) return undefined
  const values = roles.flatMap((role) => textOf(role)?.split(',') ?? [])
  return values.length === 0 ? undefined : values
}

function textOf(item: unknown): string | undefined {
  const value = typeof item === 'string' ? item : objectOf(item)?.['value']
  return typeof value === 'string' ? value : undefined
}

function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

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
