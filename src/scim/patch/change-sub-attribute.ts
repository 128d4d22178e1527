import { nameOf } from '../filter/compared-attribute.ts'
import { existingKey } from '../filter/read.ts'
import type { JsonObject } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import type { Attribute } from '../schema/attribute.ts'
import { withSubAttribute } from './complex.ts'
import type { PatchOperation } from './operation.ts'
import type { AttributeTarget } from './path.ts'

/**
 * A complex value after an operation on one of its sub-attributes.
 *
 * @returns undefined when nothing is left of it
 */
export function changeSubAttribute(
  before: JsonObject,
  path: AttributeTarget,
  subAttribute: Attribute,
  { op, value }: PatchOperation,
): JsonObject | undefined {
  const { name, type } = subAttribute
  const after = op === 'remove' ? undefined : coerceAttribute(subAttribute, value, nameOf(path))
  return withSubAttribute(before, type === 'any' ? existingKey(before, name) : name, after)
}
