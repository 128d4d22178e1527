import { attribute, complex } from './attribute.ts'
import { schema } from './schema.ts'

/** The enterprise extension of User (RFC 7643 §4.3, §8.7.1). */
export const enterpriseUserSchema = schema(
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'EnterpriseUser',
  'Enterprise User',
  [
    attribute('employeeNumber', 'The number or code that the organization gave the user.'),
    attribute('costCenter', 'The cost center.'),
    attribute('organization', 'The organization.'),
    attribute('division', 'The division.'),
    attribute('department', 'The department.'),
    complex('manager', "The user's manager.", [
      attribute('value', 'The id of the manager.', { caseExact: true }),
      attribute('$ref', 'The address of the manager.', {
        type: 'reference',
        caseExact: true,
        referenceTypes: ['User'],
      }),
      attribute('displayName', "The manager's name.", { mutability: 'readOnly' }),
    ]),
  ],
)
