import type { Filter } from './ast.ts'

/** How many conditions a filter puts to what it looks at. */
export function termsOf(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return termsOf(filter.left) + termsOf(filter.right)
    case 'not':
    case 'value-path':
      return termsOf(filter.filter)
    default:
      return 1
  }
}
