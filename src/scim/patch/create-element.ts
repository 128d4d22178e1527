import { ScimError } from '../errors.ts'
import type { Filter } from '../filter/ast.ts'
import { nameOf } from '../filter/compared-attribute.ts'
import type { JsonObject } from '../json.ts'
import type { AttributeTarget } from './path.ts'

/**
 * The value that a path asks for when it picks none: Entra ID sends `phoneNumbers[type eq "mobile"].value` for a number
 * that is new. It holds what the filter says with `eq` and `and`.
 *
 * @throws ScimError `noTarget` when the filter says anything else (RFC 7644 §3.5.2.3)
 */
export function createElement(path: AttributeTarget): JsonObject {
  const conditions = path.filter === undefined ? {} : conditionsOf(path.filter)
  if (conditions !== undefined) return conditions
  throw noTarget(path)
}

/** The refusal of a path that picks no value and says none to create (RFC 7644 §3.12). */
export function noTarget(path: AttributeTarget): ScimError {
  const name = nameOf({ ...path, subAttribute: undefined })
  return new ScimError(400, 'noTarget', `No value of ${name} matches the filter of the path.`)
}

/** What a value must hold to fulfil a filter of `eq` conditions joined by `and`; undefined for any other filter. */
export function conditionsOf(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'compare') {
    const { operator, path, value } = filter
    return operator === 'eq' && value !== null ? { [path.attribute.name]: value } : undefined
  }
  if (filter.kind !== 'and') return undefined
  const [left, right] = [conditionsOf(filter.left), conditionsOf(filter.right)]
  return left && right && { ...left, ...right }
}
