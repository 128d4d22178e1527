import {
  CreateDirectoryInput,
  extdirScope,
  GroupListingInput,
  parseInput,
  ScopeInput,
  TokenPagingInput,
} from '../directory/inputs.ts'
import type { DirectoryType } from '../directory/provider.ts'
import { directoryTypes } from '../directory/provider.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import { role } from '../mapping/document.ts'

const defaultExpiryDays = 3
const maxExpiryDays = 365
const maxRoles = 20
const { name, tenant, product, webhook_url, webhook_secret, webhook_headers } = CreateDirectoryInput.properties
const { allowed_domains, outside_domains, scim_profile, adoption } = CreateDirectoryInput.properties
const { extdir_groups, extdir_org_units } = extdirScope
/** A day, in milliseconds. */
export const dayMs = 86_400_000

/** The address of a page: without spaces, and never a script. */
const returnUrl = /^https?:\/\/[!-~]+$/i

export function isReturnUrl(text: string): boolean {
  return returnUrl.test(text) && URL.canParse(text)
}

/** `POST /setuplinks` */
export const SetupLinkInput = Type.Object(
  {
    ...{ tenant, product, name, webhook_url, webhook_secret, webhook_headers },
    ...{ allowed_domains, outside_domains, scim_profile, adoption },
    directoryId: ScopeInput.properties.directoryId,
    ...extdirScope,
    types: Type.Optional(
      Type.Array(Type.Enum([...directoryTypes]), {
        description: `types: a list of the provider types to choose from, at least one of ${directoryTypes.join(', ')}, each once.`,
        minItems: 1,
        uniqueItems: true,
      }),
    ),
    roles: Type.Optional(
      Type.Array(role('roles'), {
        description: `roles: a list of at most ${maxRoles} roles that the customer may give to groups, each once and text of 1 to 100 characters, without control characters.`,
        maxItems: maxRoles,
        uniqueItems: true,
        examples: [['admin', 'billing']],
      }),
    ),
    return_url: Type.Optional(
      Type.String({
        description:
          'return_url: the page of your product to which the portal leads back, an http or https URL of at most 2000 characters; PORTAL_RETURN_URL if omitted.',
        maxLength: 2000,
        pattern: returnUrl.source,
        examples: ['https://crm.example/settings'],
      }),
    ),
    expiryDays: Type.Optional(
      Type.Integer({
        description: `expiryDays: how long the link works, a whole number of days from 1 to ${maxExpiryDays}; ${defaultExpiryDays} if omitted.`,
        minimum: 1,
        maximum: maxExpiryDays,
      }),
    ),
    regenerate: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')], {
        description: 'regenerate: true replaces the link that the tenant has for the product; or false.',
      }),
    ),
    service: Type.Optional(Type.Literal('dsync', { description: 'service: "dsync", or left out.' })),
  },
  {
    title: 'SetupLinkInput',
    description: 'A setup link to create.',
    examples: [{ tenant: 'globex', product: 'crm', allowed_domains: ['globex.com'], roles: ['admin', 'billing'] }],
  },
)

/** @throws DirectoryError `invalid-input` */
export function parseSetupLink(input: unknown, now: number) {
  const { expiryDays = defaultExpiryDays, regenerate, roles = [], ...fields } = parseInput(SetupLinkInput, input)
  return {
    ...fields,
    googleScope: { groups: fields.extdir_groups ?? [], orgUnits: fields.extdir_org_units ?? [] },
    roles,
    expiresAt: now + expiryDays * dayMs,
    replaces: regenerate === true || regenerate === 'true',
  }
}

/** The query that names one link: by its id, or by tenant and product. */
export const SetupLinkQuery = Type.Object({
  id: Type.Optional(Type.String({ description: 'id: the setupID of a link.', minLength: 1, maxLength: 100 })),
  ...ScopeInput.properties,
})
export type SetupLinkQuery = Static<typeof SetupLinkQuery>

/** `POST /directory` of the portal. */
export const ChooseProviderInput = Type.Named('SetupDirectoryInput', 'The provider type.', {
  type: Type.Unsafe<DirectoryType>({
    type: 'string',
    enum: directoryTypes,
    description: `type: one of ${directoryTypes.join(', ')}.`,
  }),
})

/** `PUT /directory/google-scope` of the portal; a list that is left out is empty. */
export const GoogleScopeInput = Type.Object(
  { extdir_groups, extdir_org_units },
  { examples: [{ extdir_groups: [], extdir_org_units: [] }] },
)

/** `GET /groups` of the portal. */
export const PortalGroupsQuery = Type.Object({
  search: GroupListingInput.properties.search,
  ...TokenPagingInput.properties,
})

/** The role of a group in the portal. */
export const GroupRoleInput = Type.Named('GroupRoleInput', 'The role of a group.', {
  role: Type.Union([role('role'), Type.Null()], {
    description: 'role: one of the roles of the link, or null for no role.',
    examples: ['admin'],
  }),
})

const pasted = (field: string, meaning: string) =>
  Type.Optional(Type.String({ description: `${field}: ${meaning}, at most 500 characters.`, maxLength: 500 }))

/** `POST /directory/oauth-clients` of the portal; a federated client needs the four values of its identity provider. */
export const PortalClientInput = Type.Named('SetupOAuthClientInput', 'An OAuth client.', {
  type: Type.Enum(['secret', 'federated'], { description: 'type: secret or federated.' }),
  issuer: pasted('issuer', 'the issuer of the assertions'),
  jwks_url: pasted('jwks_url', 'the URL of the keys of the issuer'),
  subject: pasted('subject', 'the subject of the assertions'),
  audience: pasted('audience', 'the audience of the assertions'),
})
