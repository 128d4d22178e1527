import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DirectoryError } from '../../directory/errors.ts'
import { parseInput, productField } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { MappingInput } from '../../mapping/document.ts'
import { PutMappingInput } from '../../mapping/mappings.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, IdParams, routeOptions } from './schemas.ts'

const time = Type.String({ format: 'date-time' })
const mapping = Type.Union([MappingInput, Type.Null()])

const RunSchema = Type.Object(
  {
    state: Type.Enum(['running', 'completed']),
    evaluated: Type.Integer({ description: 'Users so far.' }),
    total: Type.Integer({ description: 'Users of the directory when the run began.' }),
    changed: Type.Integer({ description: 'Users whose roles or attributes changed.' }),
    started_at: time,
    completed_at: Type.Union([time, Type.Null()]),
  },
  { title: 'MappingRun' },
)

const MappingSchema = Type.Object(
  {
    mapping,
    inherited: Type.Boolean({ description: 'Whether it is the mapping of the product.' }),
    version: Type.Integer({ description: '0 before the first.', examples: [3] }),
    run: Type.Union([RunSchema, Type.Null()], { description: 'The last run over the users of the directory.' }),
  },
  { title: 'MappingState' },
)

const VersionSchema = Type.Object(
  {
    version: Type.Integer({ examples: [3] }),
    mapping,
    created_at: time,
    created_by: Type.Union([Type.String(), Type.Null()], { description: 'Who made it; see the audit trail.' }),
  },
  { title: 'MappingVersion' },
)

export const ProductInput = Type.Object({ product: productField })

/** The body of `PUT`, with the mapping that its parser checks. */
export const PutBody = Type.Object({ ...PutMappingInput.properties, mapping: MappingInput }, { title: 'PutMapping' })

/** The mappings of directories and of products. The parent plugin has authorized the caller. */
export function addMappingRoutes(app: FastifyInstance, { service: { mappings } }: HttpContext): void {
  const state = { response: envelope(MappingSchema) }
  const ofDirectory = { params: IdParams, ...state }
  const ofProduct = { querystring: ProductInput, ...state }

  app.get<ById>(
    '/:id/mapping',
    routeOptions('directory', 'Get the mapping in effect in a directory, and the progress of its run', {
      operationId: 'getMapping',
      ...ofDirectory,
    }),
    async ({ params: { id } }) => dataResponse(await mappings.get({ id })),
  )
  app.put<ById>(
    '/:id/mapping',
    routeOptions('directory', 'Put a new mapping of a directory into effect', {
      operationId: 'putMapping',
      ...ofDirectory,
      body: PutBody,
      errors: [409],
    }),
    async ({ params: { id }, body, caller }) => dataResponse(await mappings.put({ id }, body, caller)),
  )
  app.delete<ById>(
    '/:id/mapping',
    routeOptions('directory', 'Remove the mapping of a directory; that of its product takes its place', {
      operationId: 'deleteMapping',
      ...ofDirectory,
    }),
    async ({ params: { id }, caller }) => dataResponse(await mappings.remove({ id }, caller)),
  )
  app.get<ById>(
    '/:id/mapping/versions',
    routeOptions('directory', 'List the last 100 versions of the mapping of a directory, newest first', {
      operationId: 'listMappingVersions',
      params: IdParams,
      response: envelope(Type.Array(VersionSchema)),
    }),
    async ({ params: { id } }) => dataResponse(await mappings.versions({ id })),
  )
  app.get(
    '/mapping',
    routeOptions('found', 'Get the mapping of a product, which its directories inherit', {
      operationId: 'getProductMapping',
      ...ofProduct,
    }),
    async (request) => dataResponse(await mappings.get(productOf(request))),
  )
  app.put(
    '/mapping',
    routeOptions('found', 'Put a new mapping of a product into effect', {
      operationId: 'putProductMapping',
      ...ofProduct,
      body: PutBody,
      errors: [409],
    }),
    async (request) => dataResponse(await mappings.put(productOf(request), request.body, request.caller)),
  )
  app.delete(
    '/mapping',
    routeOptions('found', 'Remove the mapping of a product', { operationId: 'deleteProductMapping', ...ofProduct }),
    async (request) => dataResponse(await mappings.remove(productOf(request), request.caller)),
  )
  app.get(
    '/mapping/versions',
    routeOptions('found', 'List the last 100 versions of the mapping of a product, newest first', {
      operationId: 'listProductMappingVersions',
      querystring: ProductInput,
      response: envelope(Type.Array(VersionSchema)),
    }),
    async (request) => dataResponse(await mappings.versions(productOf(request))),
  )
}

/**
 * The product that a request names. Its mapping concerns all tenants: a key that is restricted to a tenant, or to another product, finds
 * none.
 *
 * @throws DirectoryError `invalid-input`, `resource-not-found`
 */
export function productOf({ query, keyScope }: Pick<FastifyRequest, 'query' | 'keyScope'>): {
  readonly product: string
} {
  const { product } = parseInput(ProductInput, query)
  const isAllowed = keyScope.tenant === undefined && (keyScope.product ?? product) === product
  if (isAllowed) return { product }
  throw new DirectoryError(
    'resource-not-found',
    'This API key finds no product of this name: it needs a key for all its tenants.',
  )
}
