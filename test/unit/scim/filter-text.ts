import type { Filter } from '../../../src/scim/filter/ast.ts'
import { pathName } from '../../../src/scim/schema/attribute-path.ts'

/** A parsed filter written with every parenthesis, so that a test can show the precedence. */
export function filterText(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filterText(filter.left)} ${filter.kind} ${filterText(filter.right)})`
    case 'not':
      return `not ${filterText(filter.filter)}`
    case 'present':
      return `${pathName(filter.path)} pr`
    case 'value-path':
      return `${pathName(filter.path)}[${filterText(filter.filter)}]`
    case 'constant':
      return filter.holds ? 'all' : 'none'
    case 'compare':
      return `${pathName(filter.path)} ${filter.operator} ${JSON.stringify(filter.value)}`
  }
}
