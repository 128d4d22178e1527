import type { Requirement } from '../requirement.ts'
import { attributeRequirements } from './attributes.ts'
import { characteristicRequirements } from './characteristics.ts'
import { commonAttributeRequirements } from './common-attributes.ts'
import { complexRequirements } from './complex.ts'
import { dataTypeRequirements } from './data-types.ts'
import { enterpriseUserRequirements } from './enterprise-user.ts'
import { extensionRequirements } from './extensions.ts'
import { groupRequirements } from './group.ts'
import { identifierRequirements } from './identifiers.ts'
import { metaRequirements } from './meta.ts'
import { multiValuedRequirements } from './multi-valued.ts'
import { passwordRequirements } from './password.ts'
import { referenceRequirements } from './references.ts'
import { resourceTypeRequirements } from './resource-types.ts'
import { schemaDefinitionRequirements } from './schemas.ts'
import { schemasAttributeRequirements } from './schemas-attribute.ts'
import { securityRequirements } from './security.ts'
import { serviceProviderConfigRequirements } from './service-provider-config.ts'
import { unassignedRequirements } from './unassigned.ts'
import { userRequirements } from './user.ts'
import { userListRequirements } from './user-lists.ts'

/** RFC 7643, in the order of its sections. */
export const schemaRequirements: readonly Requirement[] = [
  ...attributeRequirements,
  ...dataTypeRequirements,
  ...referenceRequirements,
  ...complexRequirements,
  ...multiValuedRequirements,
  ...unassignedRequirements,
  ...schemasAttributeRequirements,
  ...commonAttributeRequirements,
  ...identifierRequirements,
  ...metaRequirements,
  ...extensionRequirements,
  ...userRequirements,
  ...passwordRequirements,
  ...userListRequirements,
  ...groupRequirements,
  ...enterpriseUserRequirements,
  ...serviceProviderConfigRequirements,
  ...resourceTypeRequirements,
  ...schemaDefinitionRequirements,
  ...characteristicRequirements,
  ...securityRequirements,
]
