import { auditActions } from '../../directory/audit.ts'
import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { envelope } from '../directory-sync/schemas.ts'
import type { OperationParts } from '../openapi/operation.ts'
import { bodyErrors, callErrors, operationSchema } from '../openapi/operation.ts'

const time = Type.String({ format: 'date-time' })
const orNull = <T extends Schema>(schema: T) => Type.Union([schema, Type.Null()])
const text = orNull(Type.String())

/** The body of a login; `logIn` checks it. */
export const LoginInput = Type.Object(
  {
    claims: Type.Object({
      upstreamToken: Type.String({ description: 'The root token, again.', examples: ['<ADMIN_ROOT_TOKEN>'] }),
      email: Type.String({
        description: 'The email address of the admin, case-insensitive.',
        maxLength: 320,
        examples: ['admin@acme.example'],
      }),
    }),
  },
  { title: 'LoginInput' },
)

export const AdminUserSchema = Type.Object(
  {
    email: Type.String(),
    id: Type.String(),
    timezone: Type.String({ description: 'An IANA time zone name.', examples: ['Europe/Berlin'] }),
  },
  { title: 'Admin' },
)

export const LoginSchema = Type.Object(
  {
    user: AdminUserSchema,
    token: Type.String({ description: 'A JWT, valid for an hour.' }),
    adminToken: Type.Object({
      id: Type.String(),
      userId: Type.String(),
      tokenBcrypt: Type.String(),
      token: Type.String({ description: 'Only returned here.' }),
      disabled: Type.Literal(false),
      createdAt: time,
    }),
  },
  { title: 'Login' },
)

export const AdminTokenSchema = Type.Object(
  {
    id: Type.String(),
    user: Type.Object({ id: Type.String(), email: Type.String() }),
    disabled: Type.Boolean(),
    created_at: time,
    last_used_at: time,
  },
  { title: 'AdminToken' },
)

export const ApiKeySchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    scope: Type.Object({ tenant: text, product: text, readOnly: Type.Boolean() }),
    created_at: time,
    expires_at: orNull(time),
    last_used_at: orNull(time),
  },
  { title: 'ApiKey' },
)

export const NewApiKeySchema = Type.Object(
  { ...ApiKeySchema.properties, key: Type.String({ description: 'The key, only returned here.' }) },
  { title: 'NewApiKey' },
)

export const AuditEntrySchema = Type.Object(
  {
    sequence: Type.Integer({ description: '1, 2, 3 … across the whole service, without gaps.' }),
    id: Type.String(),
    at: time,
    action: Type.Unsafe<string>({ type: 'string', enum: auditActions }),
    actor: Type.Object({ kind: Type.String(), id: text, name: text }),
    request_id: text,
    address: text,
    target: Type.Object({ kind: Type.String(), id: text, tenant: text, product: text }),
    changes: orNull(
      Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: '`{field: {from, to}}`' }),
    ),
    erased: Type.Array(Type.String(), {
      description:
        'The fields whose values were erased with the data of a person: `actor.name`, `address`, `changes.<field>`.',
    }),
    previous_hash: Type.String(),
    hash: Type.String(),
  },
  { title: 'AuditEntry' },
)

/** Whether the hash chain of the audit trail is intact, or where it is first broken. */
export const AuditChainSchema = Type.Union(
  [
    Type.Object({
      ok: Type.Literal(true),
      entries: Type.Integer(),
      erased: Type.Integer({ description: 'The number of entries from which personal fields were erased.' }),
      from: Type.Integer(),
      to: Type.Integer(),
      first_at: orNull(time),
      last_at: orNull(time),
      end: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
    }),
    Type.Object({
      ok: Type.Literal(false),
      break: Type.Object({ sequence: Type.Integer(), what: Type.String(), message: Type.String() }),
    }),
  ],
  { title: 'AuditChain' },
)

export const ResealedSchema = Type.Object(
  {
    resealed: Type.Integer({
      description: 'The number of secrets encrypted again; those of a directory count as one.',
    }),
  },
  { title: 'ResealedSecrets' },
)

export const SettingSchema = Type.Object(
  {
    name: Type.String({ description: 'The environment variable.', examples: ['DSYNC_WEBHOOK_TIMEOUT'] }),
    value: orNull(Type.String({ description: 'As text; `(set)` for a secret, null if unset.', examples: ['15000'] })),
    is_default: Type.Boolean({ description: 'Whether the value is the default.', examples: [true] }),
    meaning: Type.String({ description: 'What it sets.', examples: ['How long an endpoint may take to respond'] }),
  },
  { title: 'Setting' },
)

/** The response of routes that return no data. */
export const Nothing = envelope(Type.Object({}))

const admin = {
  tag: 'Admin',
  security: [{ adminToken: [] }, { adminJwt: [] }],
  errors: callErrors,
  bodyErrors,
} as const

/** The OpenAPI description of a route of the admin API. */
export function documented(summary: string, parts: OperationParts) {
  return operationSchema(admin, summary, parts)
}
