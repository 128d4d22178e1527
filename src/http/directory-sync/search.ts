import type { FastifyInstance } from 'fastify'
import { SearchInput } from '../../directory/inputs.ts'
import { searchedTypes } from '../../directory/search-store.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { pageResponse } from '../responses.ts'
import { envelope, exampleId, routeOptions } from './schemas.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

const HitSchema = Type.Named('SearchHit', 'A user, group or directory that was found.', {
  type: Type.Enum(searchedTypes),
  id: Type.String({ examples: [exampleId('a001')] }),
  name: Type.String({
    description: 'Of a user: the given and family name, or else the displayName, or else the email.',
    examples: ['Barbara Jensen'],
  }),
  email: nullableText,
  user_name: nullableText,
  active: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null unless it is a user.' }),
  directory_id: Type.String({ examples: [exampleId('d101')] }),
  directory_name: Type.String({ examples: ['scim-acme-crm'] }),
  tenant: Type.String({ examples: ['acme'] }),
  product: Type.String({ examples: ['crm'] }),
})

/** The search over directories. The parent plugin has authorized the caller. */
export function addSearchRoutes(app: FastifyInstance, { service: { reads } }: HttpContext): void {
  app.get(
    '/search',
    routeOptions('query', 'Find users, groups and directories in all directories', {
      operationId: 'searchEverything',
      description:
        'By the beginning of any word of a name, of a userName or email address; directories also of the tenant and the id. Users and groups also by a whole id or externalId, which come first. A page may be short, or empty, and have a `pageToken` nevertheless: each call examines a limited number of entries.',
      querystring: SearchInput,
      response: envelope(Type.Array(HitSchema)),
    }),
    async ({ query }) => pageResponse(await reads.search(query)),
  )
}
