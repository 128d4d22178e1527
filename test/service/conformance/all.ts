import { schemaRequirements } from './core-schema/requirements.ts'
import { cursorPaginationRequirements } from './cursor-pagination.ts'
import { protocolRequirements } from './protocol/requirements.ts'
import type { Conformance } from './requirement.ts'

/** All requirements, by RFC. */
export const allRequirements: readonly Conformance[] = [
  { rfc: 7643, title: 'core schema', folder: 'core-schema/', requirements: schemaRequirements },
  { rfc: 7644, title: 'protocol', folder: 'protocol/', requirements: protocolRequirements },
  {
    rfc: 9865,
    title: 'cursor-based pagination',
    folder: 'cursor-pagination/',
    requirements: cursorPaginationRequirements,
  },
]
