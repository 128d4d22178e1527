import type { Requirement } from '../requirement.ts'
import { attributeNotation } from './attribute-notation.ts'
import { bulkLimits } from './bulk/limits.ts'
import { bulkOperations } from './bulk/operations.ts'
import { bulkReferences } from './bulk/references.ts'
import { bulkRequests } from './bulk/requests.ts'
import { bulkResponses } from './bulk/responses.ts'
import { deleting } from './deleting.ts'
import { discovery } from './discovery.ts'
import { entityTags } from './entity-tags.ts'
import { errorKeywords } from './error-keywords.ts'
import { errors } from './errors.ts'
import { filteredText, internationalizedStrings } from './internationalized-strings.ts'
import { me } from './me.ts'
import { mediaTypes } from './media-types.ts'
import { resourceRequirements } from './resources.ts'
import { returnedAttributes } from './returned-attributes.ts'
import { security } from './security.ts'
import { tenants } from './tenants.ts'
import { versions } from './versions.ts'

/** RFC 7644, in the order of its sections. */
export const protocolRequirements: readonly Requirement[] = [
  ...resourceRequirements,
  ...deleting,
  ...bulkRequests,
  ...bulkOperations,
  ...bulkReferences,
  ...bulkResponses,
  ...bulkLimits,
  ...mediaTypes,
  ...returnedAttributes,
  ...attributeNotation,
  ...me,
  ...errors,
  ...errorKeywords,
  ...versions,
  ...entityTags,
  ...discovery,
  ...internationalizedStrings,
  ...tenants,
  ...security,
  ...filteredText,
]
