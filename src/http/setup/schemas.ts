import { directoryTypes } from '../../directory/provider.ts'
import { Type } from '../../inputs/json-schema.ts'
import { ObservedSchema } from '../directory-sync/health.ts'
import { RunSchema } from '../directory-sync/mappings.ts'

// The responses to the holder of a setup link: the views of `setup/portal.ts`.

const observedTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const orNever = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
const nullableText = Type.Union([Type.String(), Type.Null()])
const textOf = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })
const type = Type.Enum([...directoryTypes], { description: 'The provider type.' })

const portalFields = {
  name: nullableText,
  product: Type.String(),
  expires_at: Type.String({ format: 'date-time' }),
  portal: Type.Named('SetupPortal', 'How the portal looks.', {
    name: nullableText,
    logo_url: textOf('The URL of the logo.', 'https://crm.example/logo.svg'),
    color: textOf('The color of buttons.', '#2f5bea'),
    listed_in: Type.Array(Type.String(), { description: 'The catalogs that list the product.', examples: [['okta']] }),
    return_url: textOf('The page of the product to which the portal leads back.', 'https://crm.example/settings'),
  }),
  types: Type.Array(Type.Named('SetupProvider', 'A provider type.', { type, label: Type.String() })),
  roles: Type.Array(Type.String(), { description: 'The roles that the holder of the link may give to groups.' }),
  directory: Type.Union([
    Type.Named('SetupDirectory', 'The directory, once there is one.', {
      type,
      label: Type.String(),
      deactivated: Type.Boolean(),
      scim_endpoint: textOf('The URL for the identity provider.', 'https://rollcall.example/api/scim/v2.0/d101'),
      secret_ending: textOf('The last characters of the secret.', 'J7uH'),
      oauth: Type.Union(
        [
          Type.Named('SetupOAuth', 'How to sign in with OAuth 2.0.', {
            token_endpoint: Type.String(),
            is_required: Type.Boolean({ description: 'Whether the SCIM secret is refused.' }),
            clients: Type.Array(
              Type.Named('SetupOAuthClient', 'An OAuth client.', {
                client_id: Type.String(),
                type: Type.Enum(['secret', 'federated']),
                created_at: Type.String({ format: 'date-time' }),
                expires_at: observedTime,
                last_used_at: observedTime,
              }),
              { description: 'The OAuth clients of the directory.' },
            ),
          }),
          Type.Null(),
        ],
        { description: 'How to sign in with OAuth 2.0; null for Google Workspace.' },
      ),
      google: Type.Union(
        [
          Type.Named('SetupGoogle', 'The connection to Google Workspace.', {
            status: Type.Enum(['none', 'authorized', 'needs_authorization']),
            can_connect: Type.Boolean({ description: 'Whether the holder of the link may connect it.' }),
            error: textOf('Why it is not connected.', 'Google refused the refresh token.'),
            domain: textOf('The only domain to sync.', 'acme.example'),
            groups: Type.Array(Type.String(), {
              description: 'The only groups that are synced; none: no restriction.',
              examples: [['everyone@acme.example']],
            }),
            org_units: Type.Array(Type.String(), {
              description: 'The organizational units whose users are synced; none: no restriction.',
              examples: [['/Sales']],
            }),
            pending_reason: textOf('What waits for approval.', 'Another Google Workspace was connected before.'),
            is_scheduled: Type.Boolean({ description: 'Whether syncs repeat without anybody who starts them.' }),
          }),
          Type.Null(),
        ],
        { description: 'The connection to Google Workspace; null for other types.' },
      ),
    }),
    Type.Null(),
  ]),
}
export const PortalSchema = Type.Object(portalFields, { title: 'Setup' })
export const WithSecretSchema = Type.Object({ ...portalFields, secret: nullableText }, { title: 'SetupWithSecret' })
export const WithClientSchema = Type.Named(
  'SetupWithOAuthClient',
  'What a setup link shows, with a new OAuth client.',
  {
    ...portalFields,
    created: Type.Named('CreatedOAuthClient', 'The new OAuth client.', {
      client_id: Type.String(),
      client_secret: Type.Union([Type.String(), Type.Null()], { description: 'Null for a federated client.' }),
    }),
  },
)
export const AuthorizationUrlSchema = Type.Named('SetupAuthorizationUrl', 'A URL to connect a Google Workspace.', {
  url: Type.String(),
  expires_at: Type.String({ format: 'date-time' }),
})

const SyncSchema = Type.Named('SetupSync', 'A sync with Google.', {
  at: Type.String({ format: 'date-time' }),
  has_failed: Type.Boolean({ description: 'Whether it failed.', examples: [false] }),
})

export const PortalHealthSchema = Type.Named('SetupHealth', 'The health of the directory, for the customer.', {
  state: Type.Enum(['waiting', 'healthy', 'attention', 'failing']),
  last_request_at: observedTime,
  signed_in_at: orNever('When it last signed in with OAuth 2.0; null if never.'),
  failed_authentications: Type.Named('SetupFailures', 'Requests without the right credentials.', {
    since_last_success: Type.Integer({ description: 'Since the last request with the right ones.' }),
    last_at: observedTime,
    last_problem: nullableText,
  }),
  behaviors: Type.Record(Type.Union([ObservedSchema, Type.Null()])),
  last_refused: Type.Union(
    [
      Type.Named('SetupRefusal', 'A refused request.', {
        at: Type.String({ format: 'date-time' }),
        method: Type.String(),
        subject: nullableText,
        status: Type.Integer(),
        scim_type: nullableText,
        detail: nullableText,
        is_outside_domain: Type.Boolean({ description: 'Whether an address is outside the allowed domains.' }),
      }),
      Type.Null(),
    ],
    { description: 'The last refused request; null if there is none.' },
  ),
  last_sync: Type.Union([SyncSchema, Type.Null()], { description: 'The last sync with Google; null if none.' }),
})

export const PortalGroupSchema = Type.Named('SetupGroup', 'A group in the setup portal.', {
  id: Type.String(),
  name: Type.String(),
  members: Type.Integer({ description: 'The number of its direct members.' }),
  role: Type.Union([Type.String(), Type.Null()], { description: 'The role that the customer gave it.' }),
  can_change: Type.Boolean({
    description: 'False if the role is none of the setup link, or the product has changed the rule.',
  }),
})

const people = Type.Named('SetupUsers', 'Some users.', {
  count: Type.Integer(),
  examples: Type.Array(Type.String(), { description: 'At most three email addresses.' }),
})

export const PortalPreviewSchema = Type.Named('SetupRolePreview', 'Whose roles would change.', {
  roles: Type.Array(
    Type.Named('SetupRoleChange', 'Who would gain and lose a role.', {
      role: Type.String({ examples: ['admin'] }),
      gain: people,
      lose: people,
      too_few: Type.Boolean({
        description: 'Whether fewer would be left than must keep the role: the directory is then held.',
      }),
    }),
  ),
})

export const PortalRolesRunSchema = Type.Named('SetupRolesRun', 'The run that changes the roles of users.', {
  run: Type.Union([RunSchema, Type.Null()], { description: 'The last run; null before the first.' }),
})
