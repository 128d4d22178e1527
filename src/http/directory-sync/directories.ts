import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryView } from '../../directory/directory-view.ts'
import { withoutSecrets } from '../../directory/directory-view.ts'
import { throwProblems } from '../../directory/errors.ts'
import {
  CreateDirectoryInput,
  DirectorySearchInput,
  ListingInput,
  RotateSecretInput,
  RotateWebhookSecretInput,
  UpdateDirectoryInput,
} from '../../directory/inputs.ts'
import { providers } from '../../directory/provider.ts'
import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/page.ts'
import { creationTokens, pageOf } from '../../reads/page.ts'
import type { Paging } from '../../reads/paging.ts'
import { pagingOf, parseQuery } from '../../reads/paging.ts'
import { isObject } from '../../scim/json.ts'
import type { HttpContext, HttpService } from '../context.ts'
import { dataResponse, sendList } from '../responses.ts'
import type { ById } from './schemas.ts'
import { DirectorySchema, envelope, IdParams, Nothing, routeOptions } from './schemas.ts'

const response = envelope(DirectorySchema)

const ProvidersSchema = Type.Record(Type.String(), {
  title: 'Providers',
  description: 'The label of every provider type.',
  examples: [providers],
})

/** Management of directories. The parent plugin has authorized the caller. */
export function addDirectoryRoutes(app: FastifyInstance, { service }: HttpContext): void {
  addListRoutes(app, service)
  addOneDirectoryRoutes(app, service)
  addRotationRoutes(app, service)
  app.get(
    '/providers',
    routeOptions('open', 'List the provider types', {
      operationId: 'listProviders',
      response: envelope(ProvidersSchema),
    }),
    async () => dataResponse(providers),
  )
}

function addListRoutes(app: FastifyInstance, service: HttpService): void {
  const options = (operationId: string, summary: string) =>
    routeOptions('query', summary, {
      operationId,
      querystring: ListingInput,
      response: envelope(Type.Array(DirectorySchema)),
    })
  app.get('/', options('listDirectories', 'List the directories of a tenant for a product'), async (request, reply) =>
    sendList(reply, await listDirectories(service, ['tenant', 'product'], request)),
  )
  app.get(
    '/directories',
    routeOptions('query', 'List directories of any tenant and product, or find them by name', {
      operationId: 'searchDirectories',
      description:
        'With `search`, at most 100 whose name or tenant begins with it, or the one with this id. Secrets are empty.',
      querystring: DirectorySearchInput,
      response: envelope(Type.Array(DirectorySchema)),
    }),
    async (request, reply) => sendList(reply, await findDirectories(service, request)),
  )
  app.get('/product', options('listProductDirectories', 'List the directories of a product'), async (request, reply) =>
    sendList(reply, await listDirectories(service, ['product'], request)),
  )
}

function addOneDirectoryRoutes(app: FastifyInstance, service: HttpService): void {
  const { directories } = service
  const view = (directory: Directory) => dataResponse(service.directoryView(directory))
  app.post(
    '/',
    routeOptions('body', 'Create a directory', {
      operationId: 'createDirectory',
      body: CreateDirectoryInput,
      response,
      status: 201,
      errors: [409],
    }),
    async ({ body, caller }, reply) => {
      reply.code(201)
      return view(await directories.create(body, caller))
    },
  )
  app.get<ById>(
    '/:id',
    routeOptions('directory', 'Get a directory', { operationId: 'getDirectory', params: IdParams, response }),
    async (request) => dataResponse(viewFor(request, service, await directories.get(request.params.id))),
  )
  app.patch<ById>(
    '/:id',
    routeOptions('directory', 'Update a directory', {
      operationId: 'updateDirectory',
      errors: [409],
      params: IdParams,
      body: UpdateDirectoryInput,
      response,
    }),
    async ({ params, body, caller }) => {
      const directory = await directories.update(params.id, body, caller)
      await service.retryDelivery(directory.id, isObject(body) ? body : {})
      return view(directory)
    },
  )
  app.delete<ById>(
    '/:id',
    routeOptions('directory', 'Delete a directory with its users and groups', {
      operationId: 'deleteDirectory',
      description:
        'The directory is not found from then on. What is not delivered yet, and `directory.deleted` as the last event, are still sent to its endpoint and can be read in the feed.',
      params: IdParams,
      response: Nothing,
    }),
    async ({ params, caller }) => {
      await directories.delete(params.id, caller)
      return dataResponse({})
    },
  )
}

function addRotationRoutes(app: FastifyInstance, service: HttpService): void {
  const { directories } = service
  const options = (operationId: string, summary: string, body: Schema) =>
    routeOptions('directory', summary, { operationId, errors: [409], params: IdParams, body, response })
  app.post<ById>(
    '/:id/rotate-secret',
    options('rotateDirectorySecret', 'Rotate the SCIM secret of a directory', RotateSecretInput),
    async ({ params, body, caller }) =>
      dataResponse(service.directoryView(await directories.rotateSecret(params.id, body, caller))),
  )
  app.post<ById>(
    '/:id/rotate-webhook-secret',
    options('rotateWebhookSecret', 'Rotate the webhook secret of a directory', RotateWebhookSecretInput),
    async ({ params, body, caller }) => {
      const directory = await directories.rotateWebhookSecret(params.id, body, caller)
      await service.retryDelivery(directory.id, {})
      return dataResponse(service.directoryView(directory))
    },
  )
}

/** A directory as the caller may see it. */
function viewFor({ keyScope }: FastifyRequest, service: HttpService, directory: Directory): DirectoryView {
  const view = service.directoryView(directory)
  return keyScope.readOnly ? withoutSecrets(view) : view
}

/**
 * Directories of any tenant and product.
 *
 * @throws DirectoryError `invalid-input`
 */
async function findDirectories(service: HttpService, { query }: FastifyRequest) {
  const { search, tenant, product, directoryId, ...paging } = parseQuery(DirectorySearchInput, query)
  const scope = { tenant, product, directoryId }
  const text = (directory: Directory) => JSON.stringify(withoutSecrets(service.directoryView(directory)))
  if (search === undefined) return readDirectories(service, scope, pagingOf(paging), text)
  const found = await service.directories.find(scope, search)
  return { rows: found.map(text) }
}

/**
 * A page of directories, or a stream of all of them, as JSON texts.
 *
 * @throws DirectoryError `invalid-input`, also when a required part of the scope is missing
 */
async function listDirectories(
  service: HttpService,
  required: readonly ('tenant' | 'product')[],
  request: FastifyRequest,
) {
  const text = (directory: Directory) => JSON.stringify(viewFor(request, service, directory))
  const { tenant, product, directoryId, ...paging } = parseQuery(ListingInput, request.query)
  requireFields({ tenant, product }, required)
  return readDirectories(service, { tenant, product, directoryId }, pagingOf(paging), text)
}

async function readDirectories(
  { directories }: HttpService,
  scope: DirectoryScope,
  paging: Paging,
  text: (directory: Directory) => string,
): Promise<Listing> {
  if (paging === undefined) return { rows: textsOf(directories.all(scope), text) }
  const { offset, limit, token } = paging
  const after = creationTokens.read(token)
  const found = await directories.page(scope, { after, offset, limit: limit + 1 })
  const { rows, pageToken } = pageOf(found, limit, creationTokens.write)
  return { rows: rows.map(text), pageToken }
}

async function* textsOf(directories: AsyncIterable<Directory>, text: (directory: Directory) => string) {
  for await (const directory of directories) yield [text(directory)]
}

/** @throws DirectoryError `invalid-input` that names the missing parameters */
function requireFields(
  fields: Pick<DirectoryScope, 'tenant' | 'product'>,
  names: readonly ('tenant' | 'product')[],
): void {
  const missing = names.filter((name) => fields[name] === undefined)
  throwProblems(missing.map((name) => ({ field: name, message: `${name}: required in the query.` })))
}
