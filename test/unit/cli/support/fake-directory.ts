import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '../../../../src/scim/json.ts'
import { isObject } from '../../../../src/scim/json.ts'

export interface FakeUser {
  id: string
  userName: string
  active: boolean
  resource: JsonObject
}

export interface FakeGroup {
  id: string
  displayName: string
  members: Set<string>
}

export interface FakeAnswer {
  readonly status: number
  readonly body?: JsonObject
}

/** The part of a SCIM directory that the dialects use; other requests get a 501. */
export class FakeDirectory {
  readonly users = new Map<string, FakeUser>()
  readonly groups = new Map<string, FakeGroup>()
  /** Called for every change with the type of its event and its data. */
  onEvent: (type: string, data: JsonObject) => void = () => {}

  answer(method: string, url: URL, body: JsonObject): FakeAnswer {
    const [type = '', id] = url.pathname.split('/').filter((part) => part !== '')
    if (type === 'Users') return id === undefined ? this.#users(method, url, body) : this.#user(method, id, body)
    if (type === 'Groups') return id === undefined ? this.#groups(method, url, body) : this.#group(method, id, body)
    return { status: type === 'ServiceProviderConfig' || type === 'Schemas' ? 200 : 501, body: {} }
  }

  #users(method: string, url: URL, body: JsonObject): FakeAnswer {
    if (method === 'GET') return list([...this.users.values()].map(userBody), url)
    const userName = String(body['userName'])
    if ([...this.users.values()].some((user) => user.userName.toLowerCase() === userName.toLowerCase())) {
      return { status: 409, body: { detail: `userName ${userName} is in use`, scimType: 'uniqueness' } }
    }
    const user = { id: randomUUID(), userName, active: true, resource: body }
    this.users.set(user.id, user)
    this.onEvent('user.created', eventUser(user))
    return { status: 201, body: userBody(user) }
  }

  #user(method: string, id: string, body: JsonObject): FakeAnswer {
    const user = this.users.get(id)
    if (user === undefined) return { status: 404, body: { detail: `there is no user ${id}`, status: '404' } }
    if (method === 'DELETE') return this.#deleteUser(user)
    if (method === 'PUT') user.resource = body
    const active = method === 'PATCH' ? patchedActive(body) : body['active']
    if (method !== 'GET' && active !== undefined) user.active = String(active).toLowerCase() === 'true'
    if (method !== 'GET') this.onEvent('user.updated', eventUser(user))
    return { status: 200, body: userBody(user) }
  }

  #deleteUser(user: FakeUser): FakeAnswer {
    this.users.delete(user.id)
    for (const group of this.groups.values()) group.members.delete(user.id)
    this.onEvent('user.deleted', eventUser(user))
    return { status: 204 }
  }

  #groups(method: string, url: URL, body: JsonObject): FakeAnswer {
    if (method === 'GET') return list([...this.groups.values()].map(groupBody), url)
    const group = { id: randomUUID(), displayName: String(body['displayName']), members: new Set<string>() }
    this.groups.set(group.id, group)
    this.onEvent('group.created', { id: group.id, name: group.displayName })
    this.#setMembers(group, new Set(valuesOf(body['members'])))
    return { status: 201, body: groupBody(group) }
  }

  #group(method: string, id: string, body: JsonObject): FakeAnswer {
    const group = this.groups.get(id)
    if (group === undefined) return { status: 404, body: { detail: `there is no group ${id}`, status: '404' } }
    if (method === 'DELETE') this.groups.delete(id)
    if (method === 'PUT') this.#setMembers(group, new Set(valuesOf(body['members'])))
    if (method === 'PATCH') this.#setMembers(group, patchedMembers(group.members, body))
    return { status: method === 'DELETE' ? 204 : 200, body: groupBody(group) }
  }

  #setMembers(group: FakeGroup, wanted: Set<string>): void {
    const before = group.members
    group.members = wanted
    const emit = (type: string, id: string) => {
      const user = this.users.get(id)
      if (user !== undefined)
        this.onEvent(type, { ...eventUser(user), group: { id: group.id, name: group.displayName } })
    }
    for (const id of difference(before, wanted)) emit('group.user_removed', id)
    for (const id of difference(wanted, before)) emit('group.user_added', id)
  }
}

function list(all: JsonObject[], url: URL): FakeAnswer {
  const [, attribute, text] =
    /^(\w+) eq ("(?:[^"\\]|\\.)*")( and .*)?$/.exec(url.searchParams.get('filter') ?? '') ?? []
  const matching = attribute === undefined ? all : all.filter((one) => one[attribute] === JSON.parse(text ?? ''))
  const startIndex = Number(url.searchParams.get('startIndex') ?? 1)
  const Resources = matching.slice(startIndex - 1, startIndex - 1 + Number(url.searchParams.get('count') ?? 5))
  return { status: 200, body: { totalResults: matching.length, startIndex, itemsPerPage: Resources.length, Resources } }
}

function operationsOf(body: JsonObject): JsonObject[] {
  const operations = body['Operations']
  return Array.isArray(operations) ? operations.filter(isObject) : []
}

function patchedActive(body: JsonObject): Json | undefined {
  for (const { path, value } of operationsOf(body)) {
    if (path === 'active') return value
    if (path === undefined && isObject(value)) return value['active']
  }
  return undefined
}

function patchedMembers(before: ReadonlySet<string>, body: JsonObject): Set<string> {
  let members = new Set(before)
  for (const { op, path, value } of operationsOf(body)) {
    const [, filtered] = /^members\[value eq "(.*)"\]$/.exec(String(path)) ?? []
    const named = filtered === undefined ? new Set(valuesOf(value)) : new Set([filtered])
    if (String(path).startsWith('members')) {
      members = String(op).toLowerCase() === 'remove' ? difference(members, named) : new Set([...members, ...named])
    }
  }
  return members
}

function valuesOf(members: Json | undefined): string[] {
  return Array.isArray(members) ? members.filter(isObject).map(({ value }) => String(value)) : []
}

function difference(some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...some].filter((one) => !others.has(one)))
}

function userBody({ id, resource, active }: FakeUser): JsonObject {
  return { ...resource, id, active }
}

function groupBody({ id, displayName, members }: FakeGroup): JsonObject {
  return { id, displayName, members: [...members].map((value) => ({ value })) }
}

/** The user as the API returns it. */
export function eventUser({ id, userName, active, resource }: FakeUser): JsonObject {
  const name = isObject(resource['name']) ? resource['name'] : {}
  const [first_name = '', last_name = ''] = [name['givenName'], name['familyName']]
  return { id, first_name, last_name, email: userName, active, raw: {} }
}
