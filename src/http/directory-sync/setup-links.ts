import type { FastifyInstance, FastifyRequest } from 'fastify'
import { adoptions } from '../../directory/directory.ts'
import { throwProblems } from '../../directory/errors.ts'
import { ListingInput, maxPageLimit, ScopeInput, TokenPagingInput } from '../../directory/inputs.ts'
import { directoryTypes } from '../../directory/provider.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/page.ts'
import { creationTokens, pageOf } from '../../reads/page.ts'
import { pagingOf, parseQuery } from '../../reads/paging.ts'
import { SetupLinkInput, SetupLinkQuery } from '../../setup/inputs.ts'
import type { SetupLink, SetupLinkView } from '../../setup/setup-link.ts'
import { setupLinkStates, withoutLinkSecrets } from '../../setup/setup-link.ts'
import type { SetupLinkScope, SetupLinks } from '../../setup/setup-links.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, sendList } from '../responses.ts'
import { DirectorySchema, envelope, Nothing, routeOptions } from './schemas.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])
const nullableTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** `GET /setuplinks/all` */
const NewestLinksInput = Type.Object({ ...ScopeInput.properties, ...TokenPagingInput.properties })

const SetupLinkSchema = Type.Named('SetupLink', 'A link for the administrator of a customer.', {
  setupID: Type.String({ description: 'The id of the link.', examples: ['mV0Zb2Xl4oYwT3rK'] }),
  tenant: Type.String(),
  product: Type.String(),
  service: Type.Literal('dsync', { description: 'Always dsync.' }),
  name: nullableText,
  validTill: Type.Integer({ description: 'When it stops working, in Unix milliseconds.', examples: [1772443800000] }),
  url: Type.String({
    description: 'Where the administrator goes; empty except in the response that creates the link.',
  }),
  directoryId: nullableText,
  webhook_url: nullableText,
  webhook_secret: Type.Optional(
    Type.String({ description: 'The secret that events are signed with; only in the response that creates the link.' }),
  ),
  webhook_headers: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The names of the further headers of requests to the endpoint; null: none.',
    examples: [['X-Gateway-Key']],
  }),
  allowed_domains: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The domains whose addresses the directory may provision; null: any.',
    examples: [['globex.com']],
  }),
  outside_domains: DirectorySchema.properties.outside_domains,
  scim_profile: DirectorySchema.properties.scim_profile,
  adoption: Type.Enum(adoptions, {
    description:
      'hold if the first events of the directory will be held until its users are linked to accounts of your product.',
  }),
  types: Type.Union([Type.Array(Type.Enum([...directoryTypes])), Type.Null()]),
  extdir_groups: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The only groups of Google Workspace that will be synced; null: no restriction.',
    examples: [['everyone@globex.com']],
  }),
  extdir_org_units: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The organizational units whose users will be synced; null: no restriction.',
    examples: [['/Sales']],
  }),
  roles: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The roles that the customer may give to groups; null: none.',
  }),
  return_url: Type.Union([Type.String(), Type.Null()], {
    description: 'The page of your product to which the portal leads back; null: PORTAL_RETURN_URL.',
    examples: ['https://crm.example/settings'],
  }),
  state: Type.Enum([...setupLinkStates], {
    description: 'Whether it was opened or used; an expired or revoked link does not work.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  opened_at: nullableTime('When it was opened first; null if never.'),
  used_at: nullableTime('When a directory was set up with it; null if never.'),
})

/** Links for customers' administrators. The parent plugin has authorized the caller. */
export function addSetupLinkRoutes(app: FastifyInstance, { service: { setupLinks } }: HttpContext): void {
  const response = envelope(SetupLinkSchema)
  app.post(
    '/setuplinks',
    routeOptions('body', 'Create a setup link; its url and webhook_secret are only returned here', {
      operationId: 'createSetupLink',
      body: SetupLinkInput,
      response,
      status: 201,
      errors: [409],
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
      response: Nothing,
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
  app.get(
    '/setuplinks/all',
    routeOptions('query', 'List all setup links, newest first, with expired and revoked ones', {
      operationId: 'listAllSetupLinks',
      querystring: NewestLinksInput,
      response: envelope(Type.Array(SetupLinkSchema)),
    }),
    async (request, reply) => sendList(reply, await listNewestLinks(setupLinks, request)),
  )
}

/** A link as the caller may see it. */
function viewFor({ keyScope }: FastifyRequest, view: SetupLinkView): SetupLinkView {
  return keyScope.readOnly ? withoutLinkSecrets(view) : view
}

/** @throws DirectoryError `invalid-input` */
async function listSetupLinks(setupLinks: SetupLinks, request: FastifyRequest): Promise<Listing> {
  const text = (link: SetupLink) => JSON.stringify(viewFor(request, setupLinks.view(link)))
  const { tenant, product = '', directoryId, ...part } = parseQuery(ListingInput, request.query)
  if (product === '') throwProblems([{ field: 'product', message: 'product: required in the query.' }])
  const scope = { tenant, product, directoryId }
  const paging = pagingOf(part)
  if (paging === undefined) return { rows: texts(setupLinks, scope, text) }
  const { offset, limit, token } = paging
  const after = creationTokens.read(token)
  const found = await setupLinks.page(scope, { after, offset, limit: limit + 1 })
  const { rows, pageToken } = pageOf(found, limit, creationTokens.write)
  return { rows: rows.map(text), pageToken }
}

/** @throws DirectoryError `invalid-input` */
async function listNewestLinks(setupLinks: SetupLinks, request: FastifyRequest): Promise<Listing> {
  const text = (link: SetupLink) => JSON.stringify(viewFor(request, setupLinks.view(link)))
  const { pageLimit: limit = maxPageLimit, pageToken: token, ...filter } = parseQuery(NewestLinksInput, request.query)
  const found = await setupLinks.newest(filter, { before: creationTokens.read(token), limit: limit + 1 })
  const { rows, pageToken } = pageOf(found, limit, creationTokens.write)
  return { rows: rows.map(text), pageToken }
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
