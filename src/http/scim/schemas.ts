import { Type } from '../../inputs/json-schema.ts'
import { exampleId } from '../directory-sync/schemas.ts'

const directoryId = Type.String({ description: 'The id of the directory.', examples: [exampleId('d101')] })
export const Params = Type.Object({ directoryId })
export const ResourceParams = Type.Object({
  directoryId,
  id: Type.String({ description: 'The id.', examples: [exampleId('a001')] }),
})
/** The id of a definition. */
export const definitionParams = (example: string) =>
  Type.Object({ directoryId, id: Type.String({ description: 'The id.', examples: [example] }) })
const Attributes = {
  attributes: Type.Optional(Type.String({ description: 'The only attributes to return, separated by commas.' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'Attributes not to return, separated by commas.' })),
}
export const ResourceQuery = Type.Object(Attributes)
const paging = {
  startIndex: Type.Optional(Type.Integer({ description: 'The first resource of the page, counted from 1.' })),
  cursor: Type.Optional(
    Type.String({ description: 'Empty for the first page, then the nextCursor of the previous page.' }),
  ),
  count: Type.Optional(Type.Integer({ description: 'The maximum number of resources on the page, at most 1000.' })),
}
const selection = {
  filter: Type.Optional(Type.String({ description: 'A filter (RFC 7644 §3.4.2.2).' })),
  sortBy: Type.Optional(Type.String({ description: 'The attribute to sort by.' })),
  sortOrder: Type.Optional(Type.Enum(['ascending', 'descending'])),
}
export const ListQuery = Type.Object({ ...selection, ...paging, ...Attributes })

const schemasOf = (urn: string) => Type.Array(Type.String(), { examples: [[urn]] })
const message = (name: string) => schemasOf(`urn:ietf:params:scim:api:messages:2.0:${name}`)

/** Any further attribute of a resource. */
const open = { additionalProperties: true } as const

export const ScimUserSchema = Type.Object(
  {
    schemas: Type.Optional(schemasOf('urn:ietf:params:scim:schemas:core:2.0:User')),
    userName: Type.Optional(Type.String({ examples: ['bjensen@acme.example'] })),
    externalId: Type.Optional(Type.String({ examples: ['00u1ero7vZFVEIYLWPBN'] })),
    active: Type.Optional(Type.Unknown({ examples: [true] })),
    name: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        examples: [{ givenName: 'Barbara', familyName: 'Jensen' }],
      }),
    ),
  },
  { title: 'ScimUser', description: 'A user (RFC 7643 §4.1); `/Schemas` has its attributes.', ...open },
)

export const ScimGroupSchema = Type.Object(
  {
    schemas: Type.Optional(schemasOf('urn:ietf:params:scim:schemas:core:2.0:Group')),
    displayName: Type.Optional(Type.String({ examples: ['Engineering'] })),
    members: Type.Optional(
      Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
        examples: [[{ value: exampleId('a001') }]],
      }),
    ),
  },
  { title: 'ScimGroup', description: 'A group (RFC 7643 §4.2); `/Schemas` has its attributes.', ...open },
)

export const PatchSchema = Type.Object(
  {
    schemas: Type.Optional(message('PatchOp')),
    Operations: Type.Array(
      Type.Object({
        op: Type.String({ description: 'add, replace or remove.' }),
        path: Type.Optional(Type.String()),
        value: Type.Optional(Type.Unknown()),
      }),
      { examples: [[{ op: 'replace', path: 'externalId', value: '00u1ero7vZFVEIYLWPBN' }]] },
    ),
  },
  { title: 'ScimPatch', description: 'Operations on a resource (RFC 7644 §3.5.2).' },
)

export const SearchRequestSchema = Type.Object(
  {
    schemas: Type.Optional(message('SearchRequest')),
    ...selection,
    filter: Type.Optional(Type.String({ examples: ['meta.created ge "2026-01-01T00:00:00Z"'] })),
    ...paging,
    attributes: Type.Optional(Type.Array(Type.String())),
    excludedAttributes: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'ScimSearchRequest', description: 'A search (RFC 7644 §3.4.3).' },
)

export const ListResponseSchema = Type.Object(
  {
    schemas: message('ListResponse'),
    totalResults: Type.Integer(),
    Resources: Type.Optional(
      Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
        examples: [[{ id: exampleId('a001'), userName: 'bjensen@acme.example' }]],
      }),
    ),
    startIndex: Type.Optional(Type.Integer()),
    itemsPerPage: Type.Optional(Type.Integer()),
    nextCursor: Type.Optional(Type.String()),
    previousCursor: Type.Optional(Type.String()),
  },
  { title: 'ScimListResponse', description: 'A page of resources (RFC 7644 §3.4.2, RFC 9865).' },
)

const bulkOperation = {
  method: Type.Optional(Type.String()),
  bulkId: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
}

export const BulkRequestSchema = Type.Object(
  {
    schemas: Type.Optional(message('BulkRequest')),
    failOnErrors: Type.Optional(Type.Integer()),
    Operations: Type.Array(
      Type.Object({ ...bulkOperation, path: Type.String(), data: Type.Optional(Type.Unknown()) }),
      { examples: [[{ method: 'POST', path: '/Users', bulkId: '1', data: { userName: 'amy@acme.example' } }]] },
    ),
  },
  { title: 'ScimBulkRequest', description: 'Several operations (RFC 7644 §3.7).' },
)

export const BulkResponseSchema = Type.Object(
  {
    schemas: message('BulkResponse'),
    Operations: Type.Array(
      Type.Object({
        ...bulkOperation,
        location: Type.Optional(Type.String()),
        status: Type.String(),
        response: Type.Optional(Type.Unknown()),
      }),
      { examples: [[{ method: 'POST', bulkId: '1', status: '201' }]] },
    ),
  },
  { title: 'ScimBulkResponse', description: 'The results of several operations (RFC 7644 §3.7).' },
)

export const DefinitionSchema = Type.Object(
  { schemas: Type.Array(Type.String(), { examples: [['urn:ietf:params:scim:schemas:core:2.0:Schema']] }) },
  { title: 'ScimDefinition', description: 'What the service provider supports (RFC 7643 §5 to §7).', ...open },
)

export const ScimErrorSchema = Type.Object(
  {
    schemas: message('Error'),
    status: Type.String(),
    scimType: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String()),
  },
  { title: 'ScimError', description: 'An error (RFC 7644 §3.12).' },
)
