import { Type } from 'typebox'

const Params = Type.Object({ directoryId: Type.String() })
const ResourceParams = Type.Object({ directoryId: Type.String(), id: Type.String() })
const Query = Type.Object({
  filter: Type.Optional(Type.String({ description: 'A filter of RFC 7644 §3.4.2.2.' })),
  startIndex: Type.Optional(Type.Integer({ description: 'The first resource of the page, counted from 1.' })),
  count: Type.Optional(Type.Integer({ description: 'How many resources the page may have, at most 1000.' })),
  attributes: Type.Optional(Type.String({ description: 'The only attributes to answer, separated by commas.' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'Attributes to leave out, separated by commas.' })),
})

/** How the SCIM routes appear in the OpenAPI description; bodies are described by RFC 7643 and `/Schemas`. */
export function documentedAs(path: string) {
  const isOne = path.endsWith('/:id')
  return {
    tags: ['SCIM 2.0'],
    summary: `SCIM ${path}`,
    description: 'For identity providers: RFC 7643 and RFC 7644.',
    security: [{ scimSecret: [] }],
    params: isOne ? ResourceParams : Params,
    ...(path.endsWith('.search') ? {} : { querystring: Query }),
  }
}
