import { attribute, attributeTable, complex } from './schema.ts'

/** The attributes that every resource has and no schema lists (RFC 7643 §3.1). */
export const commonAttributes = attributeTable([
  // URNs are case-insensitive, both as property names and as values (RFC 7643 §2.1, §10.2).
  attribute('schemas', 'The URNs of the schemas whose attributes are present.', {
    type: 'reference',
    multiValued: true,
    referenceTypes: ['uri'],
    returned: 'always',
  }),
  attribute('id', 'The identifier assigned by the service provider; it never changes.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', 'The identifier assigned by the provisioning client.', { caseExact: true }),
  complex(
    'meta',
    'Metadata about the resource.',
    [
      attribute('resourceType', 'The name of the resource type.', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When the resource was created.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'When the resource last changed.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('location', 'The URI of the resource.', {
        type: 'reference',
        caseExact: true,
        mutability: 'readOnly',
        referenceTypes: ['uri'],
      }),
      attribute('version', 'The entity tag of the resource.', {
        caseExact: true,
        mutability: 'readOnly',
      }),
    ],
    { mutability: 'readOnly' },
  ),
])
