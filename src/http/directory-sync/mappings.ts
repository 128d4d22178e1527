import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DirectoryError } from '../../directory/errors.ts'
import { parseInput, productField, TokenPagingInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { MappingInput } from '../../mapping/document.ts'
import { PutMappingInput } from '../../mapping/mappings.ts'
import type { PreviewPage } from '../../mapping/previews.ts'
import { PreviewInput } from '../../mapping/previews.ts'
import { clientSignal } from '../admission.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import {
  AttributesSchema,
  envelope,
  exampleId,
  IdParams,
  pagedEnvelope,
  ReasonSchema,
  routeOptions,
} from './schemas.ts'

const time = Type.String({ format: 'date-time' })
const mapping = Type.Union([MappingInput, Type.Null()])

/** The run of a mapping over the users of a directory. */
export const RunSchema = Type.Named('MappingRun', 'The run of a mapping over the users of a directory.', {
  state: Type.Enum(['running', 'completed']),
  evaluated: Type.Integer({ description: 'Users so far.' }),
  total: Type.Integer({ description: 'Users of the directory when the run began.' }),
  changed: Type.Integer({ description: 'Users whose roles or attributes changed.' }),
  started_at: time,
  completed_at: Type.Union([time, Type.Null()]),
})

const MappingSchema = Type.Named('MappingState', 'The mapping in effect, and its run.', {
  mapping,
  inherited: Type.Boolean({
    description:
      'Whether it is the mapping of the product. A mapping that extends it is returned as stored, and is not inherited.',
  }),
  version: Type.Integer({
    description:
      'The last version of the mapping of this directory or product itself, including removals; 0 if there is none.',
    examples: [3],
  }),
  run: Type.Union([RunSchema, Type.Null()], { description: 'The last run over the users of the directory.' }),
})

const VersionSchema = Type.Named('MappingVersion', 'A version of a mapping.', {
  version: Type.Integer({ examples: [3] }),
  mapping,
  created_at: time,
  created_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Who made it; see the audit trail.',
    examples: ['key:ci'],
  }),
})

const Evaluated = Type.Named('MappedUser', 'What a mapping gives a user.', {
  roles: Type.Array(Type.String()),
  attributes: AttributesSchema,
})

const PreviewSchema = Type.Named('MappingPreview', 'What a mapping would change.', {
  version: Type.Integer({ description: 'The last version, as GET returns it.' }),
  evaluated: Type.Optional(Type.Integer({ description: 'All users; from here to warnings, only on the first page.' })),
  changed: Type.Optional(Type.Integer({ description: 'Users whose roles or attributes would change.' })),
  roles: Type.Optional(
    Type.Record(Type.Object({ gain: Type.Integer(), lose: Type.Integer() }), {
      examples: [{ admin: { gain: 3, lose: 1 } }],
    }),
  ),
  attributes: Type.Optional(
    Type.Record(Type.Integer(), { description: 'Users for whom each would change.', examples: [{ department: 12 }] }),
  ),
  warnings: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.Enum(['group-missing', 'rule-for-nobody', 'rule-for-everybody', 'too-few-users', 'user-too-large']),
        rule: Type.String({
          description: 'The id of the rule; the role of too-few-users; empty for user-too-large.',
        }),
        message: Type.String(),
      }),
      { description: 'What is probably a mistake.' },
    ),
  ),
  users: Type.Array(
    Type.Object({
      directory_id: Type.String(),
      id: Type.String(),
      email: Type.String(),
      before: Evaluated,
      after: Evaluated,
      because: Type.Array(ReasonSchema, { description: 'Of the roles that the user would gain.' }),
    }),
  ),
})

const { role, ...reason } = ReasonSchema.properties
const ExplainedRoleSchema = Type.Named('ExplainedRole', 'A role, and why.', {
  role,
  because: Type.Array(Type.Named('RuleReason', 'A rule that applies.', reason), {
    description: 'The rules that apply.',
  }),
})
const UserRolesSchema = Type.Named('UserRoles', 'The roles of a user, and why.', {
  roles: Type.Array(ExplainedRoleSchema, { description: 'The roles that the user has.' }),
  denied: Type.Array(ExplainedRoleSchema, { description: 'The roles that rules deny.' }),
})

const SeenAttributeSchema = Type.Named('SeenAttribute', 'An attribute that users have.', {
  path: Type.String({ examples: ['title'] }),
  users: Type.Integer({ description: 'How many users have it.' }),
  examples: Type.Array(Type.String(), { description: 'At most three values.' }),
})

export const ProductInput = Type.Object({ product: productField })

/** The body of a preview, with the mapping that its parser checks. */
const PreviewBody = Type.Object({ ...PreviewInput.properties, mapping: MappingInput }, { title: 'PreviewMapping' })

function previewResponse({ preview, pageToken }: PreviewPage) {
  return { ...dataResponse(preview), ...(pageToken === undefined ? {} : { pageToken }) }
}

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
    routeOptions('directory', 'Replace the mapping of a directory', {
      operationId: 'replaceMapping',
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
  app.post<ById>(
    '/:id/mapping/preview',
    routeOptions('directory', 'Preview a mapping of a directory', {
      operationId: 'previewMapping',
      params: IdParams,
      querystring: TokenPagingInput,
      body: PreviewBody,
      response: pagedEnvelope(PreviewSchema),
    }),
    async ({ params: { id }, body, query }, reply) =>
      previewResponse(await mappings.preview({ id }, body, query, clientSignal(reply))),
  )
  app.get<ById>(
    '/:id/mapping/attributes',
    routeOptions('directory', 'List the attributes that users of a directory have, with examples', {
      operationId: 'listSeenAttributes',
      params: IdParams,
      response: envelope(Type.Array(SeenAttributeSchema)),
    }),
    async ({ params: { id } }, reply) => dataResponse(await mappings.attributesOf(id, clientSignal(reply))),
  )
  app.get<{ Params: { id: string; userId: string } }>(
    '/:id/users/:userId/roles',
    routeOptions('directory', 'Explain a user’s roles', {
      operationId: 'getUserRoles',
      params: Type.Object({
        ...IdParams.properties,
        userId: Type.String({ description: 'The id of the user.', examples: [exampleId('a001')] }),
      }),
      response: envelope(UserRolesSchema),
    }),
    async ({ params: { id, userId } }) => dataResponse(await mappings.rolesOf(id, userId)),
  )
  app.post(
    '/mapping/preview',
    routeOptions('found', 'Preview a mapping of a product', {
      operationId: 'previewProductMapping',
      querystring: Type.Object({ ...ProductInput.properties, ...TokenPagingInput.properties }),
      body: PreviewBody,
      response: pagedEnvelope(PreviewSchema),
    }),
    async (request, reply) => {
      const { product, ...paging } = request.query as Record<string, unknown>
      const place = productOf({ query: { product }, keyScope: request.keyScope })
      return previewResponse(await mappings.preview(place, request.body, paging, clientSignal(reply)))
    },
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
    routeOptions('found', 'Replace the mapping of a product', {
      operationId: 'replaceProductMapping',
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
  throw new DirectoryError('resource-not-found', 'Product mappings need a key that is not limited to one tenant.')
}
