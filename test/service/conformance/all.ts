import { schemaRequirements } from './core-schema/requirements.ts'
import { cursorPaginationRequirements } from './cursor-pagination.ts'
import { protocolRequirements } from './protocol/requirements.ts'
import type { Conformance } from './requirement.ts'

/** Every requirement, RFC by RFC. */
export const allRequirements: readonly Conformance[] = [
  { rfc: 7643, title: 'core schema', file: 'core-schema/', requirements: schemaRequirements },
  { rfc: 7644, title: 'protocol', file: 'protocol/', requirements: protocolRequirements },
  {
    rfc: 9865,
    title: 'cursor-based pagination',
    file: 'cursor-pagination/',
    requirements: cursorPaginationRequirements,
  },
]
