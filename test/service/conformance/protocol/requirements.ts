import type { Requirement } from '../requirement.ts'
import { jobRequirements } from './jobs.ts'
import { resourceRequirements } from './resources.ts'

/** RFC 7644, in the order of its sections. */
export const protocolRequirements: readonly Requirement[] = [...resourceRequirements, ...jobRequirements]
