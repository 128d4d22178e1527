import type { FastifyInstance, FastifyRequest } from 'fastify'
import { throwProblems } from '../../directory/errors.ts'
import { ListingInput } from '../../directory/inputs.ts'
import { listStart } from '../../directory/list.ts'
import { directoryTypes } from '../../directory/provider.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/listing.ts'
import { readRowToken, rowToken } from '../../reads/page-token.ts'
import { parseListingFields } from '../../reads/paging.ts'
import { SetupLinkInput, SetupLinkQuery } from '../../setup/inputs.ts'
import type { SetupLink, SetupLinkView } from '../../setup/setup-link.ts'
import { setupLinkView, withoutLinkSecrets } from '../../setup/setup-link.ts'
import type { SetupLinkScope, SetupLinks } from '../../setup/setup-links.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, sendList } from '../responses.ts'
import { envelope, routeOptions } from './schemas.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

const SetupLinkSchema = Type.Object(
  {
    setupID: Type.String(),
    tenant: Type.String(),
    product: Type.String(),
    service: Type.Literal('dsync'),
    name: nullableText,
    validTill: Type.Integer({ description: 'When the link stops working, in Unix milliseconds.' }),
    url: Type.String({
      description: 'Where the administrator goes; empty except in the response that creates the link.',
    }),
    directoryId: nullableText,
    webhook_url: nullableText,
    types: Type.Union([Type.Array(Type.Enum([...directoryTypes])), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'SetupLink' },
)

/** Links for customers' administrators. The parent plugin has authorized the caller. */
export function addSetupLinkRoutes(app: FastifyInstance, { service: { setupLinks } }: HttpContext): void {
  const response = envelope(SetupLinkSchema)
  app.post(
    '/setuplinks',
    routeOptions('body', 'Create a setup link; its url is only returned here', {
      operationId: 'createSetupLink',
      body: SetupLinkInput,
      response,
      status: 201,
    }),
    async ({ body, caller }, reply) => {
      reply.code(201)
      return dataResponse(await setupLinks.create(body, caller))
    },
  )
  app.get(
    '/setuplinks',
    routeOptions('query', 'Get a setup link by id, or by tenant and product', {
      operationId: 'getSetupLink',
      querystring: SetupLinkQuery,
      response,
    }),
    async (request) => dataResponse(viewFor(request, await setupLinks.get(request.query))),
  )
  app.delete(
    '/setuplinks',
    routeOptions('query', 'Revoke a setup link', {
      operationId: 'deleteSetupLink',
      querystring: SetupLinkQuery,
      response: envelope(Type.Object({})),
    }),
    async ({ query, caller }) => {
      await setupLinks.delete(query, caller)
      return dataResponse({})
    },
  )
  app.get(
    '/setuplinks/product',
    routeOptions('query', 'List the setup links of a product', {
      operationId: 'listSetupLinks',
      querystring: ListingInput,
      response: envelope(Type.Array(SetupLinkSchema)),
    }),
    async (request, reply) => sendList(reply, await listSetupLinks(setupLinks, request)),
  )
}

/** A link as the caller may see it. */
function viewFor({ keyScope }: FastifyRequest, view: SetupLinkView): SetupLinkView {
  return keyScope.readOnly ? withoutLinkSecrets(view) : view
}

/** @throws DirectoryError `invalid-input` */
async function listSetupLinks(setupLinks: SetupLinks, request: FastifyRequest): Promise<Listing> {
  const text = (link: SetupLink) => JSON.stringify(viewFor(request, setupLinkView(link)))
  const { fields, paging } = parseListingFields(ListingInput, request.query)
  const { tenant, product = '', directoryId } = fields
  if (product === '') throwProblems([{ field: 'product', message: 'product: required in the query.' }])
  const scope = { tenant, product, directoryId }
  if (paging === undefined) return { rows: texts(setupLinks, scope, text) }
  const { limit } = paging
  const start = 'token' in paging ? { after: readRowToken(paging.token).directory } : { offset: paging.offset }
  const found = await setupLinks.page(scope, { ...start, limit: limit + 1 })
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    rows: found.slice(0, limit).map(text),
    pageToken: last && rowToken({ directory: last, position: listStart }),
  }
}

async function* texts(setupLinks: SetupLinks, scope: SetupLinkScope, text: (link: SetupLink) => string) {
  const limit = 100
  for (let after: SetupLink | undefined; ; ) {
    const part = await setupLinks.page(scope, { after, limit })
    yield part.map(text)
    if (part.length < limit) return
    after = part.at(-1)
  }
}
