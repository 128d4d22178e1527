import { narrow } from '../../scim/filter/narrow.ts'
import { parseFilter } from '../../scim/filter/parse.ts'
import { isObject } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { readParameters } from '../../scim/parameters.ts'
import type { ResourceType } from '../../scim/schema/resource-type.ts'
import { groupType, userType } from '../../scim/schema/resource-type.ts'
import type { Exchange } from './exchange.ts'
import { maxSubjectLength } from './request-log-store.ts'

const maxIdLength = 200

/** The user or group that a request was about. */
export interface About {
  readonly resourceType: 'User' | 'Group' | null
  readonly resourceId: string | null
  readonly subject: string | null
}

const nobody: About = { resourceType: null, resourceId: null, subject: null }

/** Determines the subject of a request from its path, its body or filter, and its changes. */
export function aboutOf(exchange: Exchange): About {
  const [, collection = '', id = ''] = /^\/([^/?]+)(?:\/([^/?]*))?/.exec(exchange.path) ?? []
  const type = typeNamed(collection)
  if (type === undefined) return nobody
  const { name: resourceType } = type
  if (id.toLowerCase() === '.search') return { ...searched(type, exchange.body), resourceType }
  if (id !== '') return { resourceType, resourceId: decodedId(id), subject: subjectOfChange(exchange, resourceType) }
  if (exchange.method === 'POST')
    return { resourceType, resourceId: createdId(exchange), subject: subjectOfChange(exchange, resourceType) }
  return { ...searched(type, exchange.query), resourceType }
}

function typeNamed(collection: string): ResourceType | undefined {
  const name = collection.toLowerCase()
  if (name === 'users') return userType
  return name === 'groups' ? groupType : undefined
}

function decodedId(id: string): string {
  try {
    return decodeURIComponent(id).slice(0, maxIdLength).toWellFormed()
  } catch {
    return id.slice(0, maxIdLength)
  }
}

/** The id in the address of a new resource. */
function createdId({ response }: Exchange): string | null {
  const location = response?.headers['location']
  return location === undefined ? null : decodedId(location.slice(location.lastIndexOf('/') + 1))
}

/** The name in the body of a POST or PUT, else that of the resource after the request, or before its deletion. */
function subjectOfChange({ method, body, response }: Exchange, resourceType: 'User' | 'Group'): string | null {
  if (method === 'POST' || method === 'PUT') return nameIn(body)
  if (response?.resourceName !== undefined) return bounded(response.resourceName)
  const [event] = response?.events ?? []
  if (event === undefined) return null
  const { raw, group } = fromJsonText(event.data)
  // The data of a membership event is the user, with the group inside.
  return nameIn(resourceType === 'Group' && isObject(group) ? group['raw'] : raw)
}

const names = ['username', 'displayname', 'externalid']

/** The userName, else the displayName, else the externalId of a resource; their names are case-insensitive. */
function nameIn(resource: unknown): string | null {
  if (!isObject(resource)) return null
  if (typeof resource['userName'] === 'string') return bounded(resource['userName'])
  const found = names.map((name) => Object.entries(resource).find(([key]) => key.toLowerCase() === name)?.[1])
  return bounded(found.find((value) => typeof value === 'string'))
}

function bounded(name: string | undefined): string | null {
  return name === undefined || name === '' ? null : name.slice(0, maxSubjectLength).toWellFormed()
}

/** The subject of a search: the name and the id that its filter requires. */
function searched(type: ResourceType, parameters: unknown): Omit<About, 'resourceType'> {
  const filter = isObject(parameters) ? readParameters(parameters).get('filter') : undefined
  if (typeof filter !== 'string') return nobody
  try {
    const narrowed = narrow(parseFilter(filter, type), type)
    const equalities = narrowed === 'nothing' ? [] : narrowed.equalities
    const required = (attribute: string) => {
      const found = equalities.find((equality) => equality.attribute === attribute)?.value
      return typeof found === 'string' ? found : undefined
    }
    const name = ['userName', 'displayName', 'externalId', 'emails'].map(required).find((value) => value !== undefined)
    return { subject: bounded(name), resourceId: required('id')?.slice(0, maxIdLength) ?? null }
  } catch {
    // The request was refused because of its filter.
    return nobody
  }
}
