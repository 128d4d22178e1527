import { Type } from '../../inputs/json-schema.ts'
import { scimTypes } from '../../scim/errors.ts'
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
  sortOrder: Type.Optional(Type.Enum(['ascending', 'descending'], { description: 'The order.' })),
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

export const PatchSchema = Type.Named('ScimPatch', 'Operations on a resource (RFC 7644 §3.5.2).', {
  schemas: Type.Optional(message('PatchOp')),
  Operations: Type.Array(
    Type.Object({
      op: Type.String({ description: 'add, replace or remove.', examples: ['replace'] }),
      path: Type.Optional(Type.String()),
      value: Type.Optional(Type.Unknown()),
    }),
    {
      description: 'What to change.',
      examples: [[{ op: 'replace', path: 'externalId', value: '00u1ero7vZFVEIYLWPBN' }]],
    },
  ),
})

export const SearchRequestSchema = Type.Named('ScimSearchRequest', 'A search (RFC 7644 §3.4.3).', {
  schemas: Type.Optional(message('SearchRequest')),
  ...selection,
  filter: Type.Optional(Type.String({ examples: ['meta.created ge "2026-01-01T00:00:00Z"'] })),
  ...paging,
  attributes: Type.Optional(Type.Array(Type.String())),
  excludedAttributes: Type.Optional(Type.Array(Type.String())),
})

export const ListResponseSchema = Type.Named('ScimListResponse', 'A page of resources (RFC 7644 §3.4.2, RFC 9865).', {
  schemas: message('ListResponse'),
  totalResults: Type.Integer({ description: 'How many resources match.', examples: [1] }),
  Resources: Type.Optional(
    Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
      description: 'The resources of the page.',
      examples: [[{ id: exampleId('a001'), userName: 'bjensen@acme.example' }]],
    }),
  ),
  startIndex: Type.Optional(Type.Integer({ description: 'The number of the first resource, from 1.' })),
  itemsPerPage: Type.Optional(Type.Integer({ description: 'How many resources the page has.' })),
  nextCursor: Type.Optional(Type.String({ description: 'The cursor of the next page.', examples: ['VZUTiyhEQJ94IR'] })),
  previousCursor: Type.Optional(
    Type.String({ description: 'The cursor of the previous page.', examples: ['VZUTiyhEQJ94IR'] }),
  ),
})

const bulkOperation = {
  method: Type.Optional(Type.String()),
  bulkId: Type.Optional(Type.String({ description: 'A name for the operation.', examples: ['1'] })),
  version: Type.Optional(Type.String({ description: 'The entity tag of the resource.', examples: ['W/"3"'] })),
}

export const BulkRequestSchema = Type.Named('ScimBulkRequest', 'Several operations (RFC 7644 §3.7).', {
  schemas: Type.Optional(message('BulkRequest')),
  failOnErrors: Type.Optional(Type.Integer({ description: 'After how many errors to stop.' })),
  Operations: Type.Array(Type.Object({ ...bulkOperation, path: Type.String(), data: Type.Optional(Type.Unknown()) }), {
    description: 'What to do, in order.',
    examples: [[{ method: 'POST', path: '/Users', bulkId: '1', data: { userName: 'amy@acme.example' } }]],
  }),
})

export const BulkResponseSchema = Type.Named('ScimBulkResponse', 'The results of several operations (RFC 7644 §3.7).', {
  schemas: message('BulkResponse'),
  Operations: Type.Array(
    Type.Object({
      ...bulkOperation,
      location: Type.Optional(
        Type.String({
          description: 'The URI of the resource.',
          examples: ['https://rollcall.example/api/scim/v2.0/d101/Users/a001'],
        }),
      ),
      status: Type.String({ description: 'The status of the operation.', examples: ['201'] }),
      response: Type.Optional(Type.Unknown({ description: 'The error, if it failed.' })),
    }),
    { description: 'The results, in order.', examples: [[{ method: 'POST', bulkId: '1', status: '201' }]] },
  ),
})

export const DefinitionSchema = Type.Object(
  { schemas: Type.Array(Type.String(), { examples: [['urn:ietf:params:scim:schemas:core:2.0:Schema']] }) },
  { title: 'ScimDefinition', description: 'What the service provider supports (RFC 7643 §5 to §7).', ...open },
)

export const ScimErrorSchema = Type.Named('ScimError', 'An error (RFC 7644 §3.12).', {
  schemas: message('Error'),
  status: Type.String({ description: 'The status of the response.', examples: ['400'] }),
  scimType: Type.Optional(Type.Enum(scimTypes, { description: 'Why it was refused, for programs.' })),
  detail: Type.Optional(Type.String()),
})
