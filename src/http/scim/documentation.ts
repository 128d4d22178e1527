import { Type } from 'typebox'

const Params = Type.Object({ directoryId: Type.String() })
const ResourceParams = Type.Object({ directoryId: Type.String(), id: Type.String() })
const Attributes = {
  attributes: Type.Optional(Type.String({ description: 'The only attributes to return, separated by commas.' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'Attributes not to return, separated by commas.' })),
}
const ResourceQuery = Type.Object(Attributes)
const ListQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'A filter (RFC 7644 §3.4.2.2).' })),
  sortBy: Type.Optional(Type.String({ description: 'The attribute to sort by.' })),
  sortOrder: Type.Optional(Type.Enum(['ascending', 'descending'])),
  startIndex: Type.Optional(Type.Integer({ description: 'The first resource of the page, counted from 1.' })),
  cursor: Type.Optional(
    Type.String({ description: 'Empty for the first page, then the nextCursor of the previous page.' }),
  ),
  count: Type.Optional(Type.Integer({ description: 'The maximum number of resources on the page, at most 1000.' })),
  ...Attributes,
})

/** The OpenAPI description of a SCIM route. Bodies are described by RFC 7643 and `/Schemas`. */
export function documentedAs(path: string) {
  const isOne = path.endsWith('/:id')
  return {
    tags: ['SCIM 2.0'],
    summary: `SCIM ${path}`,
    description: 'For identity providers: RFC 7643, RFC 7644 and RFC 9865.',
    security: [{ scimSecret: [] }],
    params: isOne ? ResourceParams : Params,
    ...queryOf(path, isOne),
  }
}

/** Searches by POST and bulk requests have their parameters in the body. */
function queryOf(path: string, isOne: boolean) {
  if (path === '/Bulk' || path.endsWith('.search')) return {}
  return { querystring: isOne ? ResourceQuery : ListQuery }
}
