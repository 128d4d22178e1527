import { attribute, attributeTable, complex } from './schema.ts'

/** The attributes that every resource has and that no schema lists (RFC 7643 §3.1). */
export const commonAttributes = attributeTable([
  // Schema URNs are the same in any letter case, as a key of a body and as a value (RFC 7643 §2.1, §10.2).
  attribute('schemas', 'The URNs of the schemas whose attributes are present.', {
    type: 'reference',
    multiValued: true,
    referenceTypes: ['uri'],
    returned: 'always',
  }),
  attribute('id', 'The identifier that the service provider gave; it never changes.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', 'The identifier that the provisioning client gave.', { caseExact: true }),
  complex(
    'meta',
    'What the service provider knows about the resource.',
    [
      attribute('resourceType', 'The name of the resource type.', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When the resource was created.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'When the resource last changed.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('location', 'The address of the resource.', {
        type: 'reference',
        caseExact: true,
        mutability: 'readOnly',
        referenceTypes: ['uri'],
      }),
      attribute('version', 'The entity tag of this state of the resource.', {
        caseExact: true,
        mutability: 'readOnly',
      }),
    ],
    { mutability: 'readOnly' },
  ),
])
