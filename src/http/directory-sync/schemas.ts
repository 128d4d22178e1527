import { adoptions, outsideActions, scimAuths } from '../../directory/directory.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import { directoryTypes } from '../../directory/provider.ts'
import type { ErrorCode } from '../../error-response.ts'
import { errorCodes } from '../../error-response.ts'
import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { scimProfiles } from '../../scim/schema/resource-type.ts'
import type { OperationParts } from '../openapi/operation.ts'
import { bodyErrors, callErrors, operationSchema } from '../openapi/operation.ts'
import type { RouteScope } from './access.ts'
import { rawGroupSchema, rawUserSchema } from './raw-schemas.ts'

/** An id for examples; each ending makes a different one. */
export function exampleId(ending: string): string {
  return `01980c5e-8f5c-7a10-9d3c-5b1f0a3c${ending}`
}

const directoryId = exampleId('d101')
const userId = exampleId('a001')
const groupId = exampleId('b001')
const text = (example: string) => Type.String({ examples: [example] })

/** A removal limit as the API returns it. */
export const RemovalLimitSchema = Type.Object(
  { percent: Type.Integer(), minimum: Type.Integer(), window_seconds: Type.Integer() },
  { title: 'RemovalLimit' },
)

const previousSecretExpiry = Type.Optional(
  Type.String({ format: 'date-time', description: 'Until when the secret before is valid; may be in the past.' }),
)

/** A directory as the API returns it. */
export const DirectorySchema = Type.Object(
  {
    id: text(directoryId),
    name: text('scim-acme-crm'),
    tenant: text('acme'),
    product: text('crm'),
    type: Type.Unsafe<DirectoryType>({ type: 'string', enum: directoryTypes, examples: ['okta-scim-v2'] }),
    log_webhook_events: Type.Boolean({ examples: [false] }),
    log_scim_requests: Type.Boolean({ examples: [false] }),
    unique_group_names: Type.Boolean({
      examples: [false],
      description: 'Whether a second group of a name, in any letter case, is rejected with 409 over SCIM.',
    }),
    scim_auth: Type.Enum(scimAuths, {
      description:
        'any, or oauth: the SCIM secret is refused, and SCIM requests need an access token of an OAuth client.',
    }),
    scim_profile: Type.Enum(scimProfiles, {
      description:
        'tolerant, or strict: SCIM requests with attributes that are not in /Schemas, or values of another type, are rejected.',
    }),
    adoption: Type.Enum(adoptions, {
      description:
        'hold while the events of users and groups wait until the users are linked to accounts of your product; otherwise off.',
    }),
    deactivated: Type.Boolean({ examples: [false] }),
    removal_limit: Type.Union([RemovalLimitSchema, Type.Null()], {
      description: 'When too many removals hold the events; null: never.',
    }),
    allowed_domains: Type.Array(Type.String(), {
      description: 'The domains whose addresses the directory may provision, in ASCII; empty: any.',
      examples: [['acme.com']],
    }),
    outside_domains: Type.Enum(outsideActions, {
      description:
        'What happens to users with an address outside: they have domain_allowed: false, or the request is refused.',
    }),
    scim: Type.Object(
      {
        path: text(`/api/scim/v2.0/${directoryId}`),
        secret: text('mV0Zb2Xl4oYwT3rK9sPqJ7uH'),
        endpoint: text(`https://rollcall.example/api/scim/v2.0/${directoryId}`),
        previous_secret_expires_at: previousSecretExpiry,
      },
      { description: 'What the identity provider needs. Empty texts for Google Workspace.' },
    ),
    webhook: Type.Object(
      {
        endpoint: text('https://crm.example/hooks/rollcall'),
        secret: text('whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r'),
        headers: Type.Array(Type.String(), {
          description: 'The names of the further headers of each request; their values are never returned.',
          examples: [['X-Gateway-Key']],
        }),
        previous_secret_expires_at: previousSecretExpiry,
      },
      { description: 'Where the events are sent. Empty texts without an endpoint.' },
    ),
    extdir_domain: Type.Optional(Type.String()),
    extdir_groups: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The only groups that are synced, with their members; none: no restriction.',
        examples: [['sales@acme.example']],
      }),
    ),
    extdir_org_units: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The organizational units whose users are synced, with the units below them; none: no restriction.',
        examples: [['/Sales']],
      }),
    ),
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
  },
  { title: 'Directory', description: 'A directory.' },
)

const dateTime = (example: string) => Type.String({ format: 'date-time', examples: [example] })

/** The fields of a user or group that events do not have. */
const ofRecord = {
  created_at: dateTime('2026-01-31T09:30:00.000Z'),
  updated_at: dateTime('2026-02-14T17:05:21.250Z'),
  tenant: Type.Optional(
    Type.String({
      description: 'The tenant of its directory; only if `product` alone is the scope.',
      examples: ['acme'],
    }),
  ),
  directory_id: Type.String({ description: 'Its directory.', examples: [directoryId] }),
}

/** The account of a user in the product. */
export const AccountIdSchema = Type.Union([Type.String(), Type.Null()], {
  description: 'The account in your product that the user is linked to; null if there is none.',
  examples: ['acct_8231'],
})

/** The deleted user as which a user was recognized when it was created. */
export const ReturnedFromSchema = Type.Named(
  'ReturnedFrom',
  'The deleted user as which this one was recognized when it was created; absent if there is none.',
  {
    id: Type.String({ description: 'The id of the deleted user.', examples: [exampleId('a000')] }),
    deleted_at: Type.String({ format: 'date-time', description: 'When it was deleted.' }),
    account_id: Type.Optional(
      Type.String({
        description: 'The account in your product that it was linked to; absent if there was none.',
        examples: ['acct_8231'],
      }),
    ),
  },
)

/** The mark of a user with an address outside the allowed domains. */
export const DomainAllowedSchema = Type.Literal(false, {
  description: 'An address of the user is outside the allowed domains of its directory; absent if none is.',
})

/** The attributes that a mapping gives a user. */
export const AttributesSchema = Type.Record(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  title: 'Attributes',
  description: 'The attributes that a mapping gives, by their names.',
  examples: [{ department: 'Sales' }],
})

const eventUser = {
  id: text(userId),
  account_id: AccountIdSchema,
  first_name: text('Barbara'),
  last_name: text('Jensen'),
  email: text('bjensen@acme.example'),
  active: Type.Boolean(),
  returned_from: Type.Optional(ReturnedFromSchema),
  domain_allowed: Type.Optional(DomainAllowedSchema),
  roles: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Sorted; only in a directory with a mapping, as is attributes.',
      examples: [['admin', 'member']],
    }),
  ),
  attributes: Type.Optional(AttributesSchema),
  raw: rawUserSchema({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: userId,
    userName: 'bjensen@acme.example',
    name: { givenName: 'Barbara', familyName: 'Jensen' },
    active: true,
  }),
}

/** A user as events have it. */
export const EventUserSchema = Type.Named('EventUser', 'A user.', eventUser)

/** A user as the API returns it. */
export const UserSchema = Type.Named('User', 'A user.', { ...eventUser, ...ofRecord })

const eventGroup = {
  id: text(groupId),
  name: text('Engineering'),
  raw: rawGroupSchema({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: groupId,
    displayName: 'Engineering',
  }),
}

/** A group as events have it. */
export const EventGroupSchema = Type.Named('EventGroup', 'A group.', eventGroup)

/** A reason for a role. */
export const ReasonSchema = Type.Named('RoleReason', 'Why a user has a role.', {
  role: text('admin'),
  rule: Type.Union([Type.String(), Type.Null()], { description: 'The id of the rule; null: it is a default role.' }),
  group: Type.Optional(
    Type.Object({ id: text(groupId), name: text('Engineering') }, { title: 'RoleGroup', description: 'The group.' }),
  ),
  filter: Type.Optional(text('userType eq "Employee"')),
})

/** A group as the API returns it. */
export const GroupSchema = Type.Named('Group', 'A group.', { ...eventGroup, ...ofRecord })

export const GroupWithMembersSchema = Type.Named('GroupWithMembers', 'A group with its members.', {
  ...GroupSchema.properties,
  members: Type.Array(Type.Object({ group_id: text(groupId), user_id: text(userId) }, { title: 'Membership' })),
})

export const MemberSchema = Type.Object({ user_id: text(userId), user: Type.Optional(UserSchema) }, { title: 'Member' })

/** Why a request failed, for programs. */
export const ErrorReasonSchema = Type.Unsafe<ErrorCode>({
  ...{ title: 'ErrorReason', type: 'string', enum: errorCodes },
  description: 'Why the request failed, for programs.',
})

const InvalidFieldSchema = Type.Named('InvalidField', 'A field that is invalid.', {
  field: Type.String({ description: 'Its name.', examples: ['tenant'] }),
  message: Type.String({ description: 'What it must be.', examples: ['tenant: required.'] }),
})

export const ErrorSchema = Type.Named('Error', 'The response to every request that fails.', {
  data: Type.Null({ description: 'Null: the call failed.' }),
  error: Type.Named('ErrorDetails', 'What went wrong.', {
    message: Type.String({ description: 'What is wrong, and how to fix it.', examples: ['tenant: required.'] }),
    code: Type.Integer({ description: 'The status of the response.', examples: [400] }),
    reason: ErrorReasonSchema,
    request_id: Type.String({ description: 'The `x-request-id` of the response.' }),
    problems: Type.Optional(Type.Array(InvalidFieldSchema, { description: 'Every invalid field of an input.' })),
    diverged: Type.Optional(
      Type.Named('Divergence', 'How to go on after `cursor-diverged`.', {
        directory_ids: Type.Array(Type.String(), { description: 'The directories to resync.' }),
        next: Type.String({ description: 'The cursor that continues with their resyncs; send it as `after`.' }),
      }),
    ),
  }),
})

const nextPage = {
  pageToken: Type.Optional(Type.String({ description: 'The token of the next page; absent on the last one.' })),
}

/** The envelope of a successful response; that of a list also has the token of the next page. */
export function envelope<T extends Schema>(data: T) {
  return Type.Object({ data, error: Type.Null(), ...('items' in data ? nextPage : {}) })
}

/** The envelope of a list that counts its rows for callers that ask. */
export function countedEnvelope<T extends Schema>(data: T) {
  const total = Type.Optional(Type.Integer({ description: 'The number of rows of the whole list.', examples: [83] }))
  return Type.Object({ data, error: Type.Null(), ...nextPage, total })
}

/** The response of routes that return no data. */
export const Nothing = envelope(Type.Object({}, { title: 'Nothing', description: 'An empty object.' }))

/** The envelope of an object that contains a list. */
export function pagedEnvelope<T extends Schema>(data: T) {
  return Type.Object({ data, error: Type.Null(), ...nextPage })
}

/** A user or group that something is about. */
export const ResourceReferenceSchema = Type.Named('ResourceReference', 'A user or group.', {
  type: Type.Enum(['User', 'Group']),
  id: text(userId),
})

export const IdParams = Type.Object({ id: Type.String({ description: 'The id.', examples: [directoryId] }) })

/** The path of one event of a directory. */
export const EventParams = Type.Object({
  id: IdParams.properties.id,
  sequence: Type.String({ pattern: '^[1-9]\\d{0,14}$', description: 'The sequence number.', examples: ['7'] }),
})

/** The type parameter of a route with `:id` in its path. */
export interface ById {
  Params: { id: string }
}

/** The routes of the directory-sync API. */
const directorySync = {
  tag: 'Directory sync',
  security: [{ apiKey: [] }],
  errors: callErrors,
  bodyErrors,
} as const

/** The options of a route: its restriction to the scope of an API key, and its description. */
export function routeOptions(scope: RouteScope, summary: string, parts: OperationParts) {
  return { config: { scope }, schema: operationSchema(directorySync, summary, parts) }
}
