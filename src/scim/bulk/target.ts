import { ScimError } from '../errors.ts'
import { quote } from '../filter/invalid-filter.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { resourceTypes } from '../schema/resource-type.ts'

/** What the path of a bulk operation leads to. */
export interface BulkTarget {
  readonly resourceType: ResourceType
  /** The id of one resource, or a reference to it such as `bulkId:abc`; undefined for the collection. */
  readonly id: string | undefined
}

/**
 * Reads the path of a bulk operation, relative to the address of the directory (RFC 7644 §3.7): `/Users`, `/Groups/2819c223`.
 * The type may be in any letter case, the slashes at either end are optional, and the id is percent-decoded.
 *
 * @returns the refusal of a path that leads nowhere: 404 for an unknown endpoint, else 400 `invalidValue`
 */
export function readTarget(path: unknown): BulkTarget | ScimError {
  if (typeof path !== 'string') return invalidPath('An operation needs a path: text such as "/Users".')
  const [endpoint = '', id, ...tooDeep] = withoutOuterSlashes(path.trim()).split('/', 3)
  const resourceType = resourceTypes.find((one) => one.endpoint.toLowerCase() === `/${endpoint.toLowerCase()}`)
  if (resourceType === undefined) {
    return new ScimError(404, undefined, `The path must begin with /Users or /Groups: ${quote(path)} does not.`)
  }
  const decoded = id === undefined ? undefined : percentDecoded(id)
  const isOne = tooDeep.length === 0 && decoded !== '' && (id === undefined || decoded !== undefined)
  return isOne ? { resourceType, id: decoded } : invalidPath(`The path ${quote(path)} leads to no resource.`)
}

function withoutOuterSlashes(path: string): string {
  let [start, end] = [0, path.length]
  while (path[start] === '/') start += 1
  while (end > start && path[end - 1] === '/') end -= 1
  return path.slice(start, end)
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function invalidPath(detail: string): ScimError {
  return new ScimError(400, 'invalidValue', detail)
}
