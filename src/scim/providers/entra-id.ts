import type { Filter, ValuePath } from '../filter/ast.ts'

/*
 * Requests of Entra ID that RFC 7644 does not describe, and the modules that read those that are not read here.
 * test/unit/scim/providers/ has an example of each, and a file for each other provider.
 *
 * - The sub-attribute after the brackets of a filter: `emails[type eq "work"].value eq "x"` (`withSubAttribute`).
 * - Booleans as text, in filters as well: `roles[primary eq "True"]` (resource/coerce-simple.ts).
 * - `manager` without the URN of its schema (schema/resource-type.ts), and compared itself: `manager eq "id"` means its
 *   `value` (resource/attribute-value.ts).
 * - Single values wrapped by Microsoft's libraries: `[{"$ref": null, "value": "Ann"}]` (resource/value-shape.ts).
 * - `remove` of `manager[value eq "m1"]` (patch/path.ts).
 * - `remove` with the elements to remove as its value, as JumpCloud does (patch/change-attribute.ts).
 * - `add` and `replace` of `phoneNumbers[type eq "mobile"].value` to create the element (patch/change-attribute.ts).
 *
 * It rejects null in schema definitions (discovery/definitions.ts).
 */

/**
 * The filter `emails[type eq "work"].value eq "x"`, which means `emails[type eq "work" and value eq "x"]`. `ne` and `eq
 * null` negate the value path with `eq` and `pr`.
 *
 * @param condition the comparison of the sub-attribute
 * @param toFilter converts a condition within the brackets to its final form
 */
export function withSubAttribute(
  { path, filter }: ValuePath,
  condition: Filter,
  toFilter: (condition: Filter) => Filter,
): Filter {
  const opposite = positiveForm(condition)
  const joined: Filter = { kind: 'and', left: filter, right: toFilter(opposite ?? condition) }
  const valuePath: ValuePath = { kind: 'value-path', path, filter: joined }
  return opposite === undefined ? valuePath : { kind: 'not', filter: valuePath }
}

/** The condition that a negative comparison negates; undefined for a positive one. */
function positiveForm(filter: Filter): Filter | undefined {
  if (filter.kind !== 'compare') return undefined
  const { path, operator, value } = filter
  if (value === null) return operator === 'eq' ? { kind: 'present', path } : undefined
  return operator === 'ne' ? { ...filter, operator: 'eq' } : undefined
}
