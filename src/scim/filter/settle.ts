import type { Filter } from './ast.ts'
import { matches } from './evaluate.ts'
import type { NamedAttribute } from './scope.ts'

/**
 * A condition as it stands when its attribute is known. Otherwise the attribute has no value (RFC 7644 §3.4.2.1), and
 * what the condition says of a resource without any value, it says of every resource.
 */
export function settle({ path, isKnown }: NamedAttribute, condition: Filter): Filter {
  return isKnown ? condition : { kind: 'constant', path, holds: matches(condition, {}) }
}
