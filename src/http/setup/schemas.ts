import { directoryTypes } from '../../directory/provider.ts'
import { Type } from '../../inputs/json-schema.ts'
import { RunSchema } from '../directory-sync/mappings.ts'

// The responses to the holder of a setup link: the views of `setup/portal.ts`.

const observedTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const nullableText = Type.Union([Type.String(), Type.Null()])
const type = Type.Enum([...directoryTypes])

const portalFields = {
  name: nullableText,
  product: Type.String(),
  expires_at: Type.String({ format: 'date-time' }),
  portal: Type.Object({
    name: nullableText,
    logo_url: nullableText,
    color: nullableText,
    listed_in: Type.Array(Type.String(), { description: 'The catalogs that list the product.' }),
  }),
  types: Type.Array(Type.Object({ type, label: Type.String() })),
  roles: Type.Array(Type.String(), { description: 'The roles that the holder of the link may give to groups.' }),
  directory: Type.Union([
    Type.Object({
      type,
      label: Type.String(),
      deactivated: Type.Boolean(),
      scim_endpoint: nullableText,
      secret_ending: nullableText,
      oauth: Type.Union([
        Type.Object({
          token_endpoint: Type.String(),
          is_required: Type.Boolean({ description: 'Whether the SCIM secret is refused.' }),
          clients: Type.Array(
            Type.Object({
              client_id: Type.String(),
              type: Type.Enum(['secret', 'federated']),
              created_at: Type.String({ format: 'date-time' }),
              expires_at: observedTime,
              last_used_at: observedTime,
            }),
          ),
        }),
        Type.Null(),
      ]),
      google: Type.Union([
        Type.Object({
          status: Type.Enum(['none', 'authorized', 'needs_authorization']),
          can_connect: Type.Boolean(),
          error: nullableText,
          domain: nullableText,
          groups: Type.Array(Type.String(), { description: 'The only groups that are synced; none: no restriction.' }),
          org_units: Type.Array(Type.String(), {
            description: 'The organizational units whose users are synced; none: no restriction.',
          }),
          pending_reason: nullableText,
          is_scheduled: Type.Boolean({ description: 'Whether syncs repeat without anybody who starts them.' }),
        }),
        Type.Null(),
      ]),
    }),
    Type.Null(),
  ]),
}
export const PortalSchema = Type.Object(portalFields, { title: 'Setup' })
export const WithSecretSchema = Type.Object({ ...portalFields, secret: nullableText }, { title: 'SetupWithSecret' })
export const WithClientSchema = Type.Object(
  {
    ...portalFields,
    created: Type.Object({
      client_id: Type.String(),
      client_secret: Type.Union([Type.String(), Type.Null()], { description: 'Null for a federated client.' }),
    }),
  },
  { title: 'SetupWithOAuthClient' },
)
export const AuthorizationUrlSchema = Type.Object(
  { url: Type.String(), expires_at: Type.String({ format: 'date-time' }) },
  { title: 'SetupAuthorizationUrl' },
)

export const PortalHealthSchema = Type.Object(
  {
    state: Type.Enum(['waiting', 'healthy', 'attention', 'failing']),
    last_request_at: observedTime,
    signed_in_at: observedTime,
    failed_authentications: Type.Object({
      since_last_success: Type.Integer(),
      last_at: observedTime,
      last_problem: nullableText,
    }),
    behaviors: Type.Record(Type.Union([Type.Object({ first_at: Type.String(), last_at: Type.String() }), Type.Null()])),
    last_refused: Type.Union([
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        method: Type.String(),
        subject: nullableText,
        status: Type.Integer(),
        scim_type: nullableText,
        detail: nullableText,
        is_outside_domain: Type.Boolean({ description: 'Whether an address is outside the allowed domains.' }),
      }),
      Type.Null(),
    ]),
    last_sync: Type.Union([
      Type.Object({ at: Type.String({ format: 'date-time' }), has_failed: Type.Boolean() }),
      Type.Null(),
    ]),
  },
  { title: 'SetupHealth' },
)

export const PortalGroupSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    members: Type.Integer({ description: 'The number of its direct members.' }),
    role: Type.Union([Type.String(), Type.Null()], { description: 'The role that the customer gave it.' }),
    can_change: Type.Boolean({
      description: 'False if the role is none of the setup link, or the product has changed the rule.',
    }),
  },
  { title: 'SetupGroup' },
)

const people = Type.Object({
  count: Type.Integer(),
  examples: Type.Array(Type.String(), { description: 'At most three email addresses.' }),
})

export const PortalPreviewSchema = Type.Object(
  {
    roles: Type.Array(
      Type.Object({
        role: Type.String({ examples: ['admin'] }),
        gain: people,
        lose: people,
        too_few: Type.Boolean({
          description: 'Whether fewer would be left than must keep the role: the directory is then held.',
        }),
      }),
    ),
  },
  { title: 'SetupRolePreview' },
)

export const PortalRolesRunSchema = Type.Object(
  { run: Type.Union([RunSchema, Type.Null()], { description: 'The last run; null before the first.' }) },
  { title: 'SetupRolesRun' },
)
