import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { directoryTypes } from '../../directory/provider.ts'
import type { RouteScope } from './access.ts'

/** A directory as the API returns it. */
export const DirectorySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tenant: Type.String(),
  product: Type.String(),
  type: Type.Unsafe<string>({ type: 'string', enum: directoryTypes }),
  log_webhook_events: Type.Boolean(),
  deactivated: Type.Boolean(),
  scim: Type.Object({ path: Type.String(), secret: Type.String(), endpoint: Type.String() }),
  webhook: Type.Object({ endpoint: Type.String(), secret: Type.String() }),
  extdir_domain: Type.Optional(Type.String()),
  extdir_access_token: Type.Optional(Type.String()),
  extdir_refresh_token: Type.Optional(Type.String()),
  extdir_service_account_email: Type.Optional(Type.String()),
  extdir_subject: Type.Optional(Type.String()),
  extdir_authorization_url: Type.Optional(Type.String()),
  extdir_authorization_status: Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: ['none', 'authorized', 'needs_authorization'] }),
  ),
  extdir_authorization_error: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  extdir_pending_connection: Type.Optional(
    Type.Object({ workspace: Type.Union([Type.String(), Type.Null()]), reason: Type.String() }),
  ),
})

const rawSchema = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'The SCIM resource.',
})

/** A user as the API returns it. */
export const UserSchema = Type.Object({
  id: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  active: Type.Boolean(),
  raw: rawSchema,
})

/** A group as the API returns it. */
export const GroupSchema = Type.Object({ id: Type.String(), name: Type.String(), raw: rawSchema })

export const GroupWithMembersSchema = Type.Object({
  ...GroupSchema.properties,
  members: Type.Array(Type.Object({ group_id: Type.String(), user_id: Type.String() })),
})

export const MemberSchema = Type.Object({ user_id: Type.String() })

export const ErrorSchema = Type.Object({
  data: Type.Null(),
  error: Type.Object({
    message: Type.String(),
    code: Type.Integer(),
    request_id: Type.String(),
    problems: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
  }),
})

/** The envelope of a successful response. */
export function envelope<T extends TSchema>(data: T) {
  return Type.Object({ data, error: Type.Null(), pageToken: Type.Optional(Type.String()) })
}

export const IdParams = Type.Object({ id: Type.String() })

/** The type parameter of a route with `:id` in its path. */
export interface ById {
  Params: { id: string }
}

interface RouteParts {
  readonly [part: string]: unknown
  readonly response: TSchema
}

/** The OpenAPI description of a route, with the error responses that all routes share. */
export function documented(summary: string, { response, ...parts }: RouteParts) {
  return {
    tags: ['Directory sync'],
    summary,
    security: [{ apiKey: [] }],
    ...parts,
    response: { '2xx': response, '4xx': ErrorSchema, '5xx': ErrorSchema },
  }
}

/** The options of a route: how it is restricted to the scope of an API key, and its description. */
export function routeOptions(scope: RouteScope, summary: string, parts: RouteParts) {
  return { config: { scope }, schema: documented(summary, parts) }
}
