import type { Requirement } from '../requirement.ts'
import { addingRequirements } from './resources/adding.ts'
import { attributeRequirements } from './resources/attributes.ts'
import { authenticatingRequirements } from './resources/authenticating.ts'
import { creatingRequirements } from './resources/creating.ts'
import { endpointRequirements } from './resources/endpoints.ts'
import { filterAttributeRequirements } from './resources/filtering-attributes.ts'
import { filterOperatorRequirements } from './resources/filtering-operators.ts'
import { filterSyntaxRequirements } from './resources/filtering-syntax.ts'
import { filterTypeRequirements } from './resources/filtering-types.ts'
import { listingRequirements } from './resources/listing.ts'
import { rootRequirements } from './resources/listing-root.ts'
import { pagingRequirements } from './resources/paging.ts'
import { patchReplacingRequirements } from './resources/patch-replacing.ts'
import { patchingRequirements } from './resources/patching.ts'
import { patchRequestRequirements } from './resources/patching-requests.ts'
import { readingRequirements } from './resources/reading.ts'
import { removingRequirements } from './resources/removing.ts'
import { replacingRequirements } from './resources/replacing.ts'
import { searchingRequirements } from './resources/searching.ts'
import { sortingRequirements } from './resources/sorting.ts'

/** RFC 7644 §2 to §3.5: authentication; creating, reading, querying and changing resources. */
export const resourceRequirements: readonly Requirement[] = [
  ...authenticatingRequirements,
  ...endpointRequirements,
  ...creatingRequirements,
  ...readingRequirements,
  ...listingRequirements,
  ...rootRequirements,
  ...filterSyntaxRequirements,
  ...filterOperatorRequirements,
  ...filterTypeRequirements,
  ...filterAttributeRequirements,
  ...sortingRequirements,
  ...pagingRequirements,
  ...attributeRequirements,
  ...searchingRequirements,
  ...replacingRequirements,
  ...patchRequestRequirements,
  ...patchingRequirements,
  ...addingRequirements,
  ...removingRequirements,
  ...patchReplacingRequirements,
]
