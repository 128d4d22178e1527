import { auditActions } from '../../directory/audit.ts'
import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { OperationParts } from '../openapi/operation.ts'
import { bodyErrors, callErrors, operationSchema } from '../openapi/operation.ts'

const time = Type.String({ format: 'date-time' })
const orNull = <T extends Schema>(schema: T) => Type.Union([schema, Type.Null()])
const text = orNull(Type.String())

/** The body of a login; `logIn` checks it. */
export const LoginInput = Type.Named('LoginInput', 'The credentials of an admin.', {
  claims: Type.Named('LoginClaims', 'Who logs in.', {
    upstreamToken: Type.String({ description: 'The root token, again.', examples: ['<ADMIN_ROOT_TOKEN>'] }),
    email: Type.String({
      description: 'The email address of the admin, case-insensitive.',
      maxLength: 320,
      examples: ['admin@acme.example'],
    }),
  }),
})

export const AdminUserSchema = Type.Named('Admin', 'An admin.', {
  email: Type.String(),
  id: Type.String(),
  timezone: Type.String({ description: 'An IANA time zone name.', examples: ['Europe/Berlin'] }),
})

export const LoginSchema = Type.Named('Login', 'An admin who has logged in.', {
  user: AdminUserSchema,
  token: Type.String({ description: 'A JWT, valid for an hour.' }),
  adminToken: Type.Named('NewAdminToken', 'The token that was made.', {
    id: Type.String(),
    userId: Type.String(),
    tokenBcrypt: Type.String({
      description: 'The bcrypt hash of the token.',
      examples: ['$2b$10$mV0Zb2Xl4oYwT3rK9sPqJ7uH'],
    }),
    token: Type.String({ description: 'Only returned here.' }),
    disabled: Type.Literal(false, { description: 'It works.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
  }),
})

export const AdminTokenSchema = Type.Named('AdminToken', 'The token of an admin.', {
  id: Type.String(),
  user: Type.Object({ id: Type.String(), email: Type.String() }, { title: 'AdminReference' }),
  disabled: Type.Boolean(),
  created_at: time,
  last_used_at: time,
  is_current: Type.Boolean({ description: 'Whether it is the token of this request.' }),
})

export const ApiKeySchema = Type.Named('ApiKey', 'An API key, without the key.', {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The beginning of the key.', examples: ['rck_mV0Z'] }),
  scope: Type.Named('ApiKeyScope', 'What it may read and change.', {
    tenant: text,
    product: text,
    readOnly: Type.Boolean(),
  }),
  created_at: time,
  expires_at: orNull(time),
  last_used_at: orNull(time),
})

export const NewApiKeySchema = Type.Named('NewApiKey', 'An API key that was created.', {
  ...ApiKeySchema.properties,
  key: Type.String({ description: 'The key, only returned here.', examples: ['rck_mV0Zb2Xl4oYwT3rK9sPqJ7uH'] }),
})

export const AuditEntrySchema = Type.Named('AuditEntry', 'An entry of the audit trail.', {
  sequence: Type.Integer({ description: '1, 2, 3 … across the whole service, without gaps.' }),
  id: Type.String(),
  at: time,
  action: Type.Unsafe<string>({ type: 'string', enum: auditActions }),
  actor: Type.Named('AuditActor', 'Who did it.', { kind: Type.String(), id: text, name: text }),
  request_id: text,
  address: text,
  target: Type.Named('AuditTarget', 'What it was done to.', {
    kind: Type.String(),
    id: text,
    tenant: text,
    product: text,
    name: orNull(Type.String({ description: 'The name of a directory, the last one if it was deleted.' })),
    is_deleted: Type.Boolean({ description: 'Whether it is a directory that was deleted.' }),
  }),
  changes: Type.Union([Type.Unsafe<object>({ type: 'object', additionalProperties: true }), Type.Null()], {
    ...{ description: '`{field: {from, to}}`', examples: [{ name: { from: 'Okta', to: 'Okta of Acme' } }] },
  }),
  erased: Type.Array(Type.String(), {
    description:
      'The fields whose values were erased with the data of a person: `actor.name`, `address`, `changes.<field>`.',
  }),
  previous_hash: Type.String({
    description: 'The hash of the entry before.',
    examples: ['2c26b46b68ffc68ff99b453c1d304134'],
  }),
  hash: Type.String(),
})

/** Whether the hash chain of the audit trail is intact, or where it is first broken. */
export const AuditChainSchema = Type.Union(
  [
    Type.Named('IntactAuditChain', 'No entry was changed or removed.', {
      ok: Type.Literal(true, { description: 'The chain is intact.' }),
      entries: Type.Integer({ description: 'The number of entries.', examples: [7] }),
      erased: Type.Integer({ description: 'The number of entries from which personal fields were erased.' }),
      from: Type.Integer({ description: 'The sequence of the first entry.' }),
      to: Type.Integer({ description: 'The sequence of the last entry.', examples: [7] }),
      first_at: orNull(time),
      last_at: orNull(time),
      end: Type.Named('AuditChainEnd', 'The last entry.', { sequence: Type.Integer(), hash: Type.String() }),
    }),
    Type.Named('BrokenAuditChain', 'An entry was changed or removed.', {
      ok: Type.Literal(false, { description: 'The chain is broken.' }),
      break: Type.Named('AuditChainBreak', 'Where the chain is first broken.', {
        sequence: Type.Integer(),
        what: Type.String({ description: 'What is wrong, for programs.', examples: ['changed'] }),
        message: Type.String(),
      }),
    }),
  ],
  { title: 'AuditChain', description: 'Whether the audit trail is intact.' },
)

export const ResealedSchema = Type.Named('ResealedSecrets', 'How many secrets were encrypted again.', {
  resealed: Type.Integer({
    description: 'The number of secrets encrypted again; those of a directory count as one.',
  }),
})

export const SettingSchema = Type.Named('Setting', 'A setting in effect.', {
  name: Type.String({ description: 'The environment variable.', examples: ['DSYNC_WEBHOOK_TIMEOUT'] }),
  value: orNull(Type.String({ description: 'As text; `(set)` for a secret, null if unset.', examples: ['15000'] })),
  is_default: Type.Boolean({ description: 'Whether the value is the default.', examples: [true] }),
  meaning: Type.String({ description: 'What it sets.', examples: ['How long an endpoint may take to respond'] }),
})

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
