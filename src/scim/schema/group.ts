import { attribute, complex, schema } from './schema.ts'

/** The attribute `members` of a group (RFC 7643 §4.2). */
export const membersAttribute = complex(
  'members',
  'The members of the group.',
  [
    attribute('value', 'The id of the member.', { caseExact: true, mutability: 'immutable' }),
    attribute('$ref', 'The URI of the member.', {
      type: 'reference',
      caseExact: true,
      mutability: 'immutable',
      referenceTypes: ['User', 'Group'],
    }),
    attribute('type', 'The type of the member.', { mutability: 'immutable', canonicalValues: ['User', 'Group'] }),
    attribute('display', 'The name of the member.', { mutability: 'readOnly' }),
  ],
  { multiValued: true },
)

/** The core Group schema (RFC 7643 §4.2, §8.7.1). */
export const groupSchema = schema('urn:ietf:params:scim:schemas:core:2.0:Group', 'Group', 'Group', [
  attribute('displayName', 'The name of the group.', { required: true }),
  membersAttribute,
])
