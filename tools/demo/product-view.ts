import type { Palette } from '../../src/cli/terminal/palette.ts'
import { countOf } from '../../src/cli/terminal/quantity.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { ApiClient } from '../simulate/api-client.ts'
import type { DemoDirectory } from './tenants.ts'

const shownUsers = 12
const shownGroups = 8

const userColumns: readonly Column[] = [
  { title: 'user', maxWidth: 28 },
  { title: 'email', maxWidth: 40 },
  { title: 'active' },
]
const groupColumns: readonly Column[] = [
  { title: 'group', maxWidth: 28 },
  { title: 'members', align: 'right' },
  { title: 'names', maxWidth: 72 },
]

/** The number of users of a tenant. */
export async function countUsers(api: ApiClient, directory: DemoDirectory): Promise<number> {
  return (await list(api, '/users', directory)).length
}

/** Tables of a tenant's newest users and groups, read over the API like a product. */
export async function productView(api: ApiClient, directory: DemoDirectory, palette: Palette): Promise<string> {
  const users = await list(api, '/users', directory)
  const groups = await list(api, '/groups', directory)
  const nameOf = new Map(users.map((user) => [textOf(user, 'id'), fullName(user)]))
  const groupRows: string[][] = []
  for (const group of groups.slice(-shownGroups)) groupRows.push(await groupRow(api, directory, group, nameOf))
  return [
    renderTable(userColumns, users.slice(-shownUsers).map(userRow), palette),
    earlierLine(users.length - shownUsers, 'user', palette),
    '\n',
    renderTable(groupColumns, groupRows, palette),
    earlierLine(groups.length - shownGroups, 'group', palette),
  ].join('')
}

/** `Maya Lindqvist`, or the email address of a user without a name. */
export function fullName(user: JsonObject): string {
  const name = [textOf(user, 'first_name'), textOf(user, 'last_name')].filter((part) => part !== '').join(' ')
  return name === '' ? textOf(user, 'email') : name
}

/** A text property; empty if the object does not have it. */
export function textOf(object: JsonObject, name: string): string {
  const value = own(object, name)
  return typeof value === 'string' ? value : ''
}

function userRow(user: JsonObject): string[] {
  return [fullName(user), textOf(user, 'email'), own(user, 'active') === true ? 'yes' : 'no']
}

async function groupRow(
  api: ApiClient,
  directory: DemoDirectory,
  group: JsonObject,
  nameOf: ReadonlyMap<string, string>,
): Promise<string[]> {
  const members = await list(api, `/groups/${textOf(group, 'id')}/members`, directory)
  const names = members.map((member) => nameOf.get(textOf(member, 'user_id')) ?? textOf(member, 'user_id'))
  return [textOf(group, 'name'), String(members.length), names.join(', ')]
}

function earlierLine(count: number, noun: string, palette: Palette): string {
  return count > 0 ? `${palette.dim(`  and ${countOf(count, `earlier ${noun}`)}`)}\n` : ''
}

async function list(api: ApiClient, path: string, { tenant, product }: DemoDirectory): Promise<JsonObject[]> {
  const data = await api.call('GET', `${path}?${new URLSearchParams({ tenant, product })}`)
  return Array.isArray(data) ? data.filter(isObject) : []
}
