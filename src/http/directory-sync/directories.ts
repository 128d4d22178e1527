import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryView } from '../../directory/directory-view.ts'
import { withoutSecrets } from '../../directory/directory-view.ts'
import { refuseProblems } from '../../directory/errors.ts'
import {
  CreateDirectoryInput,
  parseInput,
  RotateSecretInput,
  RotateWebhookSecretInput,
  ScopeInput,
  UpdateDirectoryInput,
} from '../../directory/inputs.ts'
import { parsePaging, readPageToken, writePageToken } from '../../directory/listing.ts'
import { providers } from '../../directory/provider.ts'
import { listStart } from '../../directory/store.ts'
import type { HttpContext } from '../context.ts'
import { sendList } from '../responses.ts'
import { DirectorySchema, documented, envelope, IdParams, ListingQuery } from './schemas.ts'

interface ById {
  Params: { id: string }
}

/** Directories as the product manages them. The parent plugin has checked the API key. */
export function addDirectoryRoutes(app: FastifyInstance, { service }: HttpContext): void {
  const { directories } = service
  const response = envelope(DirectorySchema)
  const answer = (directory: Directory) => ({ data: service.answerDirectory(directory), error: null })

  /** A directory as a caller may see it. */
  function shown(directory: Directory, { keyScope }: FastifyRequest): DirectoryView {
    const whole = service.answerDirectory(directory)
    return keyScope.readOnly ? withoutSecrets(whole) : whole
  }

  async function* texts(all: AsyncIterable<Directory>, request: FastifyRequest) {
    for await (const directory of all) yield JSON.stringify(shown(directory, request))
  }

  async function list(scope: DirectoryScope, request: FastifyRequest) {
    const paging = parsePaging(request.query)
    if (paging === undefined) return texts(directories.all(scope), request)
    const { limit } = paging
    const place = 'token' in paging ? { after: readPageToken(paging.token).directory } : { offset: paging.offset }
    const found = await directories.page(scope, { ...place, limit: limit + 1 })
    const last = found.length > limit ? found[limit - 1] : undefined
    return {
      rows: found.slice(0, limit).map((directory) => JSON.stringify(shown(directory, request))),
      pageToken: last && writePageToken({ directory: last, position: listStart }),
    }
  }

  app.post(
    '/',
    { config: { scope: 'body' }, schema: documented('Create a directory', { body: CreateDirectoryInput, response }) },
    async (request, reply) => {
      reply.code(201)
      return answer(await directories.create(request.body, request.caller))
    },
  )
  app.get(
    '/',
    {
      config: { scope: 'query' },
      schema: documented('List the directories of a tenant for a product', {
        querystring: ListingQuery,
        response: envelope(Type.Array(DirectorySchema)),
      }),
    },
    async (request, reply) => sendList(reply, await list(requireScope(request.query, ['tenant', 'product']), request)),
  )
  app.get(
    '/product',
    {
      config: { scope: 'query' },
      schema: documented('List the directories of a product', {
        querystring: ListingQuery,
        response: envelope(Type.Array(DirectorySchema)),
      }),
    },
    async (request, reply) => sendList(reply, await list(requireScope(request.query, ['product']), request)),
  )
  app.get(
    '/providers',
    {
      config: { scope: 'open' },
      schema: documented('List the provider types', { response: envelope(Type.Record(Type.String(), Type.String())) }),
    },
    async () => ({ data: providers, error: null }),
  )
  app.get<ById>(
    '/:id',
    { config: { scope: 'directory' }, schema: documented('Get a directory', { params: IdParams, response }) },
    async (request) => ({ data: shown(await directories.get(request.params.id), request), error: null }),
  )
  app.patch<ById>(
    '/:id',
    {
      config: { scope: 'directory' },
      schema: documented('Change a directory', { params: IdParams, body: UpdateDirectoryInput, response }),
    },
    async ({ params, body, caller }) => {
      const directory = await directories.update(params.id, body, caller)
      await service.retryDelivery(directory.id, fieldsOf(body))
      return answer(directory)
    },
  )
  app.delete<ById>(
    '/:id',
    {
      config: { scope: 'directory' },
      schema: documented('Delete a directory and all that it holds', {
        params: IdParams,
        response: envelope(Type.Object({})),
      }),
    },
    async ({ params, caller }) => {
      await directories.delete(params.id, caller)
      return { data: {}, error: null }
    },
  )
  app.post<ById>(
    '/:id/rotate-secret',
    {
      config: { scope: 'directory' },
      schema: documented('Give a directory a new SCIM secret', { params: IdParams, body: RotateSecretInput, response }),
    },
    async ({ params, body, caller }) => answer(await directories.rotateSecret(params.id, body, caller)),
  )
  app.post<ById>(
    '/:id/rotate-webhook-secret',
    {
      config: { scope: 'directory' },
      schema: documented('Give the endpoint of a directory a new secret', {
        params: IdParams,
        body: RotateWebhookSecretInput,
        response,
      }),
    },
    async ({ params, body, caller }) => {
      const directory = await directories.rotateWebhookSecret(params.id, body, caller)
      await service.retryDelivery(directory.id, {})
      return answer(directory)
    },
  )
}

/** The body, once it was taken: an object. */
function fieldsOf(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {}
}

/** @throws DirectoryError `invalid-input` naming the parts of the scope that are missing or wrong */
function requireScope(query: unknown, names: readonly ('tenant' | 'product')[]): DirectoryScope {
  const given = parseInput(ScopeInput, query)
  const missing = names.filter((name) => given[name] === undefined)
  refuseProblems(missing.map((name) => ({ field: name, message: `${name}: say which ${name} in the query.` })))
  return { tenant: given.tenant, product: given.product, directoryId: undefined }
}
