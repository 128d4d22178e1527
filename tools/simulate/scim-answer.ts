import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

/** What the service answered to a request that it accepted. */
export interface ScimAnswer {
  readonly status: number
  /** Empty when the answer had none. */
  readonly body: JsonObject
}

/** A call that did not succeed; it is in the tally already. The step that needed it ends, the others go on. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
}

/**
 * The id that the answer gave the resource.
 * @throws CallFailed when there is none: Okta, for one, then says "Create new user returned empty user"
 */
export function idOf({ status, body }: ScimAnswer): string {
  const id = own(body, 'id')
  if (typeof id !== 'string' || id === '') throw new CallFailed(`the answer ${status} has no id`)
  return id
}

/** The resources of a list (RFC 7644 §3.4.2). */
export function resourcesOf({ body }: ScimAnswer): JsonObject[] {
  const resources = own(body, 'Resources')
  return Array.isArray(resources) ? resources.filter(isObject) : []
}

/** How many resources the whole list has, of which the answer is one page. */
export function totalOf({ body }: ScimAnswer): number {
  const total = own(body, 'totalResults')
  return typeof total === 'number' ? total : 0
}
