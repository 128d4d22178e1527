import type { Attribute } from './schema.ts'
import { attribute, complex, schema } from './schema.ts'

/** The sub-attributes that most multi-valued attributes have (RFC 7643 §2.4). */
function plural(value: Attribute, canonicalTypes: readonly string[]): readonly Attribute[] {
  return [
    value,
    attribute('display', 'A human-readable name.'),
    attribute('type', 'The purpose of the value.', { canonicalValues: canonicalTypes }),
    attribute('primary', 'Whether this is the preferred value; true at most once.', { type: 'boolean' }),
  ]
}

/** The core User schema (RFC 7643 §4.1, §8.7.1). */
export const userSchema = schema('urn:ietf:params:scim:schemas:core:2.0:User', 'User', 'User Account', [
  attribute('userName', 'The name the user signs in with; unique in the directory, ignoring case.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', "The parts of the user's name.", [
    attribute('formatted', 'The full name, ready for display.'),
    attribute('familyName', 'The family name, or last name.'),
    attribute('givenName', 'The given name, or first name.'),
    attribute('middleName', 'The middle name or names.'),
    attribute('honorificPrefix', 'The title before the name.'),
    attribute('honorificSuffix', 'The suffix after the name.'),
  ]),
  attribute('displayName', 'The name to display.'),
  attribute('nickName', 'The casual name.'),
  attribute('profileUrl', "The URL of the user's profile page.", {
    type: 'reference',
    caseExact: true,
    referenceTypes: ['external'],
  }),
  attribute('title', 'The title, such as "Vice President".'),
  attribute('userType', 'The relationship to the organization, such as "Contractor".'),
  attribute('preferredLanguage', 'The preferred language, as in an Accept-Language header.'),
  attribute('locale', 'The default location for formatting, such as "en-US".'),
  attribute('timezone', 'The time zone, such as "America/Los_Angeles".'),
  attribute('active', 'Whether the user may sign in.', { type: 'boolean' }),
  attribute('password', 'A password; accepted but never stored or returned.', {
    mutability: 'writeOnly',
    returned: 'never',
  }),
  complex('emails', 'Email addresses.', plural(attribute('value', 'The email address.'), ['work', 'home', 'other']), {
    multiValued: true,
  }),
  complex(
    'phoneNumbers',
    'Phone numbers.',
    plural(attribute('value', 'The phone number.'), ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    { multiValued: true },
  ),
  complex(
    'ims',
    'Instant messaging addresses.',
    plural(attribute('value', 'The address.'), ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo']),
    { multiValued: true },
  ),
  complex(
    'photos',
    'Pictures of the user.',
    plural(
      attribute('value', 'The URL of the picture.', {
        type: 'reference',
        caseExact: true,
        referenceTypes: ['external'],
      }),
      ['photo', 'thumbnail'],
    ),
    { multiValued: true },
  ),
  complex(
    'addresses',
    'Postal addresses.',
    [
      attribute('formatted', 'The full address, ready for display.'),
      attribute('streetAddress', 'Street, house number and PO box.'),
      attribute('locality', 'The city.'),
      attribute('region', 'The state or region.'),
      attribute('postalCode', 'The postal code.'),
      attribute('country', 'The country, as its ISO 3166-1 alpha-2 code.'),
      attribute('type', 'The purpose of the address.', { canonicalValues: ['work', 'home', 'other'] }),
      attribute('primary', 'Whether this is the preferred address; true at most once.', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups that the user is a direct member of; changed only through the groups.',
    [
      attribute('value', 'The id of the group.', { caseExact: true, mutability: 'readOnly' }),
      attribute('$ref', 'The URI of the group.', {
        type: 'reference',
        caseExact: true,
        mutability: 'readOnly',
        referenceTypes: ['User', 'Group'],
      }),
      attribute('display', 'The name of the group.', { mutability: 'readOnly' }),
      attribute('type', 'How the user is a member.', {
        mutability: 'readOnly',
        canonicalValues: ['direct', 'indirect'],
      }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  complex('entitlements', 'What the user is entitled to.', plural(attribute('value', 'The entitlement.'), []), {
    multiValued: true,
  }),
  complex('roles', 'The roles of the user.', plural(attribute('value', 'The role.'), []), { multiValued: true }),
  complex(
    'x509Certificates',
    'Certificates issued to the user.',
    plural(attribute('value', 'The DER-encoded certificate.', { type: 'binary', caseExact: true }), []),
    { multiValued: true },
  ),
])

/** The enterprise User extension (RFC 7643 §4.3, §8.7.1). */
export const enterpriseUserSchema = schema(
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'EnterpriseUser',
  'Enterprise User',
  [
    attribute('employeeNumber', 'The number or code assigned by the organization.'),
    attribute('costCenter', 'The cost center.'),
    attribute('organization', 'The organization.'),
    attribute('division', 'The division.'),
    attribute('department', 'The department.'),
    complex('manager', "The user's manager.", [
      attribute('value', 'The id of the manager.', { caseExact: true }),
      attribute('$ref', 'The URI of the manager.', {
        type: 'reference',
        caseExact: true,
        referenceTypes: ['User'],
      }),
      attribute('displayName', "The manager's name.", { mutability: 'readOnly' }),
    ]),
  ],
)
