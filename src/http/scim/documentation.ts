import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { DiscoveryEndpoint } from '../../service-provider/discovery.ts'
import type { ScimEndpoint, ScimMethod } from '../../service-provider/request.ts'
import type { OperationParts } from '../openapi/operation.ts'
import { bodyErrors, callErrors, operationSchema } from '../openapi/operation.ts'
import {
  BulkRequestSchema,
  BulkResponseSchema,
  DefinitionSchema,
  definitionParams,
  ListQuery,
  ListResponseSchema,
  Params,
  PatchSchema,
  ResourceParams,
  ResourceQuery,
  ScimGroupSchema,
  ScimUserSchema,
  SearchRequestSchema,
} from './schemas.ts'

const mediaType = 'application/scim+json'

type Described = Omit<OperationParts, 'response' | 'body'> & {
  readonly summary: string
  readonly body?: Schema
  /** Undefined for a response without a body. */
  readonly response?: Schema
}

const one = { params: ResourceParams, querystring: ResourceQuery } as const
const list = { params: Params, querystring: ListQuery, response: ListResponseSchema } as const
const search = { params: Params, body: SearchRequestSchema, response: ListResponseSchema } as const

const users = { kind: 'User', article: 'a user', schema: ScimUserSchema } as const
const groups = { kind: 'Group', article: 'a group', schema: ScimGroupSchema } as const

function collection({ kind, article, schema }: typeof users | typeof groups) {
  const created = { body: schema, response: schema, status: 201, errors: [409] }
  return {
    GET: { operationId: `listScim${kind}s`, summary: `List ${kind.toLowerCase()}s`, ...list },
    POST: {
      operationId: `createScim${kind}`,
      summary: `Create ${article}`,
      params: Params,
      querystring: ResourceQuery,
      ...created,
    },
  }
}

function resource({ kind, article, schema }: typeof users | typeof groups) {
  const changed = { ...one, response: schema, errors: [409, 412] }
  return {
    GET: { operationId: `getScim${kind}`, summary: `Get ${article}`, ...one, response: schema, withoutBody: [304] },
    PUT: { operationId: `replaceScim${kind}`, summary: `Replace ${article}`, ...changed, body: schema },
    PATCH: {
      operationId: `patchScim${kind}`,
      summary: `Change ${article}`,
      ...changed,
      withoutBody: [204],
      body: PatchSchema,
    },
    DELETE: {
      operationId: `deleteScim${kind}`,
      summary: `Delete ${article}`,
      params: ResourceParams,
      status: 204,
      errors: [412],
    },
  }
}

const endpoints: Readonly<Record<ScimEndpoint | '/Bulk', Partial<Record<ScimMethod, Described>>>> = {
  '/Users': collection(users),
  '/Users/.search': { POST: { operationId: 'searchScimUsers', summary: 'Search users', ...search } },
  '/Users/:id': resource(users),
  '/Groups': collection(groups),
  '/Groups/.search': { POST: { operationId: 'searchScimGroups', summary: 'Search groups', ...search } },
  '/Groups/:id': resource(groups),
  '/': { GET: { operationId: 'listScimResources', summary: 'List users and groups', ...list } },
  '/.search': { POST: { operationId: 'searchScimResources', summary: 'Search users and groups', ...search } },
  '/Bulk': {
    POST: {
      operationId: 'performScimBulk',
      summary: 'Perform several operations in one request',
      params: Params,
      body: BulkRequestSchema,
      response: BulkResponseSchema,
    },
  },
}

const definition = { response: DefinitionSchema } as const
const discovery: Readonly<Record<DiscoveryEndpoint, Described>> = {
  '/ServiceProviderConfig': {
    operationId: 'getScimServiceProviderConfig',
    summary: 'Get the capabilities of the service provider',
    params: Params,
    ...definition,
  },
  '/ResourceTypes': {
    operationId: 'listScimResourceTypes',
    summary: 'List the resource types',
    params: Params,
    response: ListResponseSchema,
  },
  '/ResourceTypes/:id': {
    operationId: 'getScimResourceType',
    summary: 'Get a resource type',
    params: definitionParams('User'),
    ...definition,
  },
  '/Schemas': {
    operationId: 'listScimSchemas',
    summary: 'List the schemas',
    params: Params,
    response: ListResponseSchema,
  },
  '/Schemas/:id': {
    operationId: 'getScimSchema',
    summary: 'Get a schema',
    params: definitionParams('urn:ietf:params:scim:schemas:core:2.0:User'),
    ...definition,
  },
}

const scim = {
  tag: 'SCIM 2.0',
  security: [{ scimSecret: [] }],
  errors: callErrors,
  bodyErrors,
} as const

/** The OpenAPI description of an operation at an endpoint for resources, or of bulk requests. */
export function documentedOperation(endpoint: ScimEndpoint | '/Bulk', method: ScimMethod) {
  const described = endpoints[endpoint][method]
  if (described === undefined) throw new Error(`${method} ${endpoint} is not described`)
  return documented(described)
}

/** The OpenAPI description of a discovery endpoint. */
export function documentedDiscovery(endpoint: DiscoveryEndpoint) {
  return documented(discovery[endpoint])
}

function documented({ summary, body, response, ...parts }: Described) {
  const content = response && { content: { [mediaType]: { schema: response } } }
  const schema = operationSchema(scim, summary, {
    ...parts,
    ...(body === undefined ? {} : { body }),
    response: content ?? Type.Null({ description: 'There is no body.' }),
  })
  return { ...schema, description: 'For identity providers (RFC 7643, RFC 7644, RFC 9865).', consumes: [mediaType] }
}
