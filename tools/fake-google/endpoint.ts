/** The endpoints, named as in Google's reference. */
export type Endpoint =
  | 'authorize'
  | 'token'
  | 'users.list'
  | 'users.get'
  | 'groups.list'
  | 'groups.get'
  | 'members.list'
  | 'members.hasMember'

/** The endpoint of a request and the keys in its path. */
export interface Target {
  readonly endpoint: Endpoint
  readonly userKey?: string
  readonly groupKey?: string
  readonly memberKey?: string
}

interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  readonly endpoint: Endpoint
}

const api = '/admin/directory/v1'

/** Named groups are the keys of a path. */
const routes: readonly Route[] = [
  { method: 'GET', path: /^\/o\/oauth2\/v2\/auth$/, endpoint: 'authorize' },
  { method: 'POST', path: /^\/token$/, endpoint: 'token' },
  { method: 'GET', path: new RegExp(`^${api}/users$`), endpoint: 'users.list' },
  { method: 'GET', path: new RegExp(`^${api}/users/(?<userKey>[^/]+)$`), endpoint: 'users.get' },
  { method: 'GET', path: new RegExp(`^${api}/groups$`), endpoint: 'groups.list' },
  { method: 'GET', path: new RegExp(`^${api}/groups/(?<groupKey>[^/]+)$`), endpoint: 'groups.get' },
  { method: 'GET', path: new RegExp(`^${api}/groups/(?<groupKey>[^/]+)/members$`), endpoint: 'members.list' },
  {
    method: 'GET',
    path: new RegExp(`^${api}/groups/(?<groupKey>[^/]+)/hasMember/(?<memberKey>[^/]+)$`),
    endpoint: 'members.hasMember',
  },
]

/** Finds the endpoint of a request; undefined if there is none. */
export function findTarget(method: string, pathname: string): Target | undefined {
  for (const { path, endpoint, method: needed } of routes) {
    const match = method === needed ? path.exec(pathname) : null
    if (match !== null) return { endpoint, ...decodedKeys(match.groups ?? {}) }
  }
  return undefined
}

function decodedKeys(keys: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, decoded(value)]))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
