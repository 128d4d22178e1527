import { confidentialityRequirements } from './cursor-pagination/confidentiality.ts'
import { configurationRequirements } from './cursor-pagination/configuration.ts'
import { errorRequirements } from './cursor-pagination/errors.ts'
import { methodRequirements } from './cursor-pagination/methods.ts'
import { pageRequirements } from './cursor-pagination/pages.ts'
import { searchRequirements } from './cursor-pagination/search.ts'
import type { Requirement } from './requirement.ts'

/** RFC 9865, in the order of its sections. */
export const cursorPaginationRequirements: readonly Requirement[] = [
  ...pageRequirements,
  ...errorRequirements,
  ...methodRequirements,
  ...searchRequirements,
  ...configurationRequirements,
  ...confidentialityRequirements,
]
