import { ScimError } from '../scim/errors.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { toJsonText } from '../scim/json-text.ts'

/**
 * How many characters of JSON a user, or a group without its members, may take. Searches read many at once and look at
 * each in one go.
 */
export const maxResourceLength = 262_144

/**
 * A resource as it is stored.
 *
 * @throws ScimError 413 when it is too large
 */
export function resourceText(resource: JsonObject): JsonText<JsonObject> {
  const text = toJsonText(resource)
  if (text.length <= maxResourceLength) return text
  const limit = `A resource may take ${maxResourceLength} characters of JSON, members aside`
  throw new ScimError(413, undefined, `${limit}; this one would take ${text.length}.`)
}
