import type { Requirement } from '../requirement.ts'
import { attributeNotation } from './jobs/attribute-notation.ts'
import { bulk } from './jobs/bulk.ts'
import { bulkAnswers } from './jobs/bulk-answers.ts'
import { bulkLimits } from './jobs/bulk-limits.ts'
import { bulkOperations } from './jobs/bulk-operations.ts'
import { bulkReferences } from './jobs/bulk-references.ts'
import { deleting } from './jobs/deleting.ts'
import { discovery } from './jobs/discovery.ts'
import { entityTags } from './jobs/entity-tags.ts'
import { errorKeywords } from './jobs/error-keywords.ts'
import { errors } from './jobs/errors.ts'
import { filteredText, internationalizedStrings } from './jobs/internationalized-strings.ts'
import { me } from './jobs/me.ts'
import { mediaTypes } from './jobs/media-types.ts'
import { returnedAttributes } from './jobs/returned-attributes.ts'
import { security } from './jobs/security.ts'
import { tenants } from './jobs/tenants.ts'
import { versions } from './jobs/versions.ts'

/** RFC 7644 from §3.6 to its end. */
export const jobRequirements: readonly Requirement[] = [
  ...deleting,
  ...bulk,
  ...bulkOperations,
  ...bulkReferences,
  ...bulkAnswers,
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
