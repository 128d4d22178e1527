import type { ObjectSchema, Schema, Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import { matches } from '../inputs/json-schema-check.ts'
import type { FieldProblem } from '../inputs/unknown-fields.ts'
import { unknownFields } from '../inputs/unknown-fields.ts'
import { scimProfiles } from '../scim/schema/resource-type.ts'
import { maxDomains } from './allowed-domains.ts'
import { adoptions, outsideActions, scimAuths } from './directory.ts'
import { maxHeaders, maxHeaderValueLength } from './endpoint-headers.ts'
import { DirectoryError, throwProblems } from './errors.ts'
import type { DirectoryType } from './provider.ts'
import { directoryTypes } from './provider.ts'
import type { RemovalLimitView } from './removal-limit.ts'
import { removalLimitRanges } from './removal-limit.ts'
import { searchedTypes } from './search-store.ts'
import { maxTermLength } from './search-terms.ts'
import { maxServiceAccountLength } from './service-account.ts'

// The description of a field is also the error message about it.

/** Text that both databases store unchanged: no control characters and no lone surrogates. */
const plainText = '^[^\\p{Cc}\\p{Cs}]*$'

const scopePart = (field: string, options: { readonly examples?: readonly string[] } = {}) =>
  Type.String({
    description: `${field}: text of 1 to 200 characters, without ":" and control characters.`,
    minLength: 1,
    maxLength: 200,
    pattern: '^[^:\\p{Cc}\\p{Cs}]+$',
    ...options,
  })

/** The product of a route whose query names one. */
export const productField = scopePart('product', { examples: ['crm'] })

const name = Type.String({
  description: 'name: text of 1 to 200 characters, without control characters.',
  minLength: 1,
  maxLength: 200,
  pattern: plainText,
})
const directoryType = Type.Unsafe<DirectoryType>({
  type: 'string',
  enum: directoryTypes,
  description: `type: one of ${directoryTypes.join(', ')}.`,
})
const webhookUrl = Type.Union([Type.String({ maxLength: 2000, pattern: plainText }), Type.Null()], {
  description: 'webhook_url: an http or https URL without credentials, at most 2000 characters; "" or null removes it.',
})
const webhookSecret = Type.String({
  description: 'webhook_secret: text of at most 200 characters; if omitted, a "whsec_…" secret is generated.',
  maxLength: 200,
  pattern: plainText,
})
const webhookHeaders = Type.Union([Type.Record(Type.String()), Type.Null()], {
  description: `webhook_headers: an object of at most ${maxHeaders} headers that every request to the endpoint has, names and texts of at most ${maxHeaderValueLength} characters; {} or null removes them. Their values are never returned.`,
  examples: [{ 'X-Gateway-Key': 'k-3f6b1c' }],
})
const optionalToken = (field: string) =>
  Type.Union([Type.String({ maxLength: 4000, pattern: plainText }), Type.Null()], {
    description: `${field}: text of at most 4000 characters; null removes it.`,
  })
const domain = '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+)?$'
const extdirDomain = Type.Union([Type.String({ maxLength: 253, pattern: domain }), Type.Null()], {
  description:
    'extdir_domain: a domain like example.com (international names as xn--…); "" or null for the whole account.',
})
const extdirServiceAccount = Type.Union(
  [Type.Object({}, { title: 'ServiceAccountKey' }), Type.String({ maxLength: maxServiceAccountLength }), Type.Null()],
  {
    description: `extdir_service_account: the JSON of its key file, at most ${maxServiceAccountLength} characters; "" or null removes it. It is never returned.`,
  },
)
const extdirSubject = Type.Union(
  [Type.String({ maxLength: 320, pattern: '^([^\\s\\p{Cc}\\p{Cs}@]+@[^\\s\\p{Cc}\\p{Cs}@]+)?$' }), Type.Null()],
  {
    description:
      'extdir_subject: the email address of the administrator that the service account acts as; "" or null removes it.',
  },
)
const maxChosen = 100
const extdirGroups = Type.Union(
  [
    Type.Array(
      Type.Union([
        Type.String({ maxLength: 320, pattern: '^[^\\s\\p{Cc}\\p{Cs}@/]+@[^\\s\\p{Cc}\\p{Cs}@/]+$' }),
        Type.String({ maxLength: 100, pattern: '^[a-zA-Z0-9_-]+$' }),
      ]),
      { maxItems: maxChosen, examples: [['sales@example.com']] },
    ),
    Type.Null(),
  ],
  {
    description: `extdir_groups: a list of at most ${maxChosen} groups of Google Workspace, each as its address or id; [] or null removes the restriction.`,
  },
)
/** A longer path would not be compared as a whole, because the paths of users are truncated. */
const maxUnitPath = 500
const extdirOrgUnits = Type.Union(
  [
    Type.Array(Type.String({ maxLength: maxUnitPath, pattern: '^/[^\\p{Cc}\\p{Cs}]*$' }), {
      maxItems: maxChosen,
      examples: [['/Sales', '/Support/Europe']],
    }),
    Type.Null(),
  ],
  {
    description: `extdir_org_units: a list of at most ${maxChosen} paths of organizational units like /Support/Europe, each at most ${maxUnitPath} characters; [] or null removes the restriction.`,
  },
)
/** The users and groups of a Google Workspace to sync. */
export const extdirScope = {
  extdir_groups: Type.Optional(extdirGroups),
  extdir_org_units: Type.Optional(extdirOrgUnits),
}
const extdir = {
  extdir_domain: Type.Optional(extdirDomain),
  ...extdirScope,
  extdir_access_token: Type.Optional(optionalToken('extdir_access_token')),
  extdir_refresh_token: Type.Optional(optionalToken('extdir_refresh_token')),
  extdir_service_account: Type.Optional(extdirServiceAccount),
  extdir_subject: Type.Optional(extdirSubject),
}
const flag = (field: string) =>
  Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')], { description: `${field}: true or false.` })

const limitPart = (field: keyof RemovalLimitView) => Type.Optional(Type.Integer(removalLimitRanges[field]))
const removalLimit = Type.Union(
  [
    Type.Object(
      { percent: limitPart('percent'), minimum: limitPart('minimum'), window_seconds: limitPart('window_seconds') },
      { title: 'RemovalLimitInput', additionalProperties: false },
    ),
    Type.Null(),
  ],
  {
    description:
      'removal_limit: an object with percent (a whole number from 0 to 100), minimum (0 to 1000000) and window_seconds (1 to 604800), each optional; null turns the limit off.',
  },
)

const scimAuth = Type.Enum(scimAuths, {
  description:
    'scim_auth: any, or oauth to refuse the SCIM secret, so that SCIM requests need an access token of an OAuth client.',
})

const scimProfile = Type.Enum(scimProfiles, {
  description:
    'scim_profile: tolerant, or strict to reject what is not in /Schemas and values of another type (the SCIM interoperability profile).',
})

const allowedDomains = Type.Union(
  [Type.Array(Type.String({ maxLength: 253 }), { maxItems: maxDomains }), Type.Null()],
  {
    description: `allowed_domains: a list of at most ${maxDomains} domains like acme.com, without their subdomains, whose addresses the directory may provision; [] or null for any.`,
    examples: [['acme.com', 'acme.de']],
  },
)
const outsideDomains = Type.Enum(outsideActions, {
  description:
    'outside_domains: what happens to users with an address outside allowed_domains: flag (they have domain_allowed: false), or refuse (SCIM requests get 400).',
})

const adoption = Type.Enum(adoptions, {
  description:
    'adoption: hold, so that events of users and groups wait until the users are linked to accounts of your product; or off.',
})

/** The fields that can be given at creation and changed later. */
const directoryFields = {
  name: Type.Optional(name),
  webhook_url: Type.Optional(webhookUrl),
  webhook_secret: Type.Optional(webhookSecret),
  webhook_headers: Type.Optional(webhookHeaders),
  log_webhook_events: Type.Optional(flag('log_webhook_events')),
  log_scim_requests: Type.Optional(flag('log_scim_requests')),
  unique_group_names: Type.Optional(flag('unique_group_names')),
  scim_auth: Type.Optional(scimAuth),
  scim_profile: Type.Optional(scimProfile),
  deactivated: Type.Optional(flag('deactivated')),
  removal_limit: Type.Optional(removalLimit),
  allowed_domains: Type.Optional(allowedDomains),
  outside_domains: Type.Optional(outsideDomains),
  ...extdir,
}

/** `POST /` */
export const CreateDirectoryInput = Type.Object(
  {
    tenant: scopePart('tenant'),
    product: scopePart('product'),
    type: Type.Optional(directoryType),
    adoption: Type.Optional(adoption),
    ...directoryFields,
  },
  { title: 'CreateDirectoryInput', examples: [{ tenant: 'acme', product: 'crm', type: 'okta-scim-v2' }] },
)
export type CreateDirectoryInput = Static<typeof CreateDirectoryInput>

/** `PATCH /:id`; at least one field is required. */
export const UpdateDirectoryInput = Type.Object(directoryFields, {
  title: 'UpdateDirectoryInput',
  examples: [{ name: 'Okta of Acme', log_webhook_events: true }],
})
export type UpdateDirectoryInput = Static<typeof UpdateDirectoryInput>

const maxGraceSeconds = 30 * 24 * 3600

/** `POST /:id/rotate-secret` */
export const RotateSecretInput = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        description: `grace_seconds: how long the old secret keeps working, a whole number of seconds from 0 to ${maxGraceSeconds}.`,
        minimum: 0,
        maximum: maxGraceSeconds,
      }),
    ),
  },
  { title: 'RotateSecretInput', examples: [{ grace_seconds: 3600 }] },
)
export type RotateSecretInput = Static<typeof RotateSecretInput>

/** `POST /:id/rotate-webhook-secret` */
export const RotateWebhookSecretInput = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        description: `grace_seconds: how long events are also signed with the old secret, a whole number of seconds from 0 to ${maxGraceSeconds}.`,
        minimum: 0,
        maximum: maxGraceSeconds,
      }),
    ),
    webhook_secret: Type.Optional(webhookSecret),
  },
  { title: 'RotateWebhookSecretInput', examples: [{ grace_seconds: 86_400 }] },
)
export type RotateWebhookSecretInput = Static<typeof RotateWebhookSecretInput>

/** The directories that a request may read. */
export const ScopeInput = Type.Object({
  tenant: Type.Optional(scopePart('tenant', { examples: ['acme'] })),
  product: Type.Optional(scopePart('product', { examples: ['crm'] })),
  directoryId: Type.Optional(
    Type.String({ description: 'directoryId: the id of a directory.', minLength: 1, maxLength: 100 }),
  ),
})
export type ScopeInput = Static<typeof ScopeInput>

const wholeNumber = (field: string, least: number, most: number) =>
  Type.Integer({ minimum: least, maximum: most, description: `${field}: a whole number from ${least} to ${most}.` })

export const maxPageLimit = 1000
export const defaultPageLimit = 100
const maxPageOffset = 1_000_000_000

/** The part of a list to return; all of it without these fields. */
export const PagingInput = Type.Object({
  pageOffset: Type.Optional(wholeNumber('pageOffset', 0, maxPageOffset)),
  pageLimit: Type.Optional(wholeNumber('pageLimit', 1, maxPageLimit)),
  pageToken: Type.Optional(
    Type.String({ description: 'pageToken: the pageToken of the previous page.', minLength: 1, maxLength: 5000 }),
  ),
})
export type PagingInput = Static<typeof PagingInput>

/** The part of a list to return, for lists whose pages have no offset. */
export const TokenPagingInput = Type.Object({
  pageLimit: PagingInput.properties.pageLimit,
  pageToken: PagingInput.properties.pageToken,
})

/** The page to return of a list that is read in pages only, of 100 rows unless the query has another limit. */
export const DefaultPagingInput = Type.Object({
  pageLimit: Type.Optional(
    Type.Integer({
      description: `pageLimit: a whole number from 1 to ${maxPageLimit}; ${defaultPageLimit} if omitted.`,
      minimum: 1,
      maximum: maxPageLimit,
    }),
  ),
  pageToken: PagingInput.properties.pageToken,
})

/** Asks for the number of rows of the whole list. */
export const totalField = Type.Optional(
  Type.Enum(['true', 'false'], {
    description: 'total: true returns the number of rows of the whole list as well, on pages; or false.',
  }),
)

/** A list of resources of the directories in a scope. */
export const ListingInput = Type.Object({ ...ScopeInput.properties, ...PagingInput.properties })

const lookupValue = (field: string, meaning: string) =>
  Type.String({
    description: `${field}: ${meaning}, compared as a whole and in any letter case; text of 1 to 1000 characters.`,
    minLength: 1,
    maxLength: 1000,
    pattern: plainText,
  })

const searched = (field: string, meaning: string) =>
  Type.String({
    description: `${field}: the beginning of ${meaning}, in any letter case; text of 1 to 200 characters.`,
    minLength: 1,
    maxLength: 200,
    pattern: plainText,
  })

/** `GET /directories` */
export const DirectorySearchInput = Type.Object({
  ...ListingInput.properties,
  search: Type.Optional(searched('search', 'the name or tenant of directories, or the id of one')),
})

/** `GET /search` */
export const SearchInput = Type.Object({
  ...ScopeInput.properties,
  q: Type.String({
    examples: ['barbara'],
    description: `q: the beginning of a word of a name, or of a userName or email address, in any letter case, or an externalId or id; text of 1 to ${maxTermLength} characters.`,
    minLength: 1,
    maxLength: maxTermLength,
    pattern: plainText,
  }),
  type: Type.Optional(Type.Enum(searchedTypes, { description: `type: one of ${searchedTypes.join(', ')}.` })),
  pageLimit: Type.Optional(wholeNumber('pageLimit', 1, 100)),
  pageToken: PagingInput.properties.pageToken,
})

const updatedSince = Type.String({
  description:
    'updated_since: a date and time of RFC 3339, such as 2026-01-31T09:30:00Z; a + in a URL is written as %2B. What has changed since then is listed.',
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
  maxLength: 40,
  examples: ['2026-01-31T09:30:00Z'],
})

/** The orders of a list of users. */
const userOrders = ['created', 'name', 'name-descending', 'changed'] as const

/** The number of buckets that users are divided into. */
export const bucketsField = Type.Enum([16, 32, 64, 128, 256, 512, 1024, 2048, 4096], {
  description: 'buckets: the number of buckets, a power of two from 16 to 4096.',
})

/** `GET /users` */
export const UserListingInput = Type.Object({
  ...ListingInput.properties,
  email: Type.Optional(lookupValue('email', 'one of the email addresses of a user')),
  userName: Type.Optional(lookupValue('userName', 'the userName of a user')),
  user_name: Type.Optional(lookupValue('user_name', 'the same as userName')),
  externalId: Type.Optional(
    Type.String({
      description: 'externalId: the externalId of a user, compared as a whole; text of 1 to 1000 characters.',
      minLength: 1,
      maxLength: 1000,
      pattern: plainText,
    }),
  ),
  account_id: Type.Optional(
    Type.String({
      description:
        'account_id: the account in your product that a user is linked to, compared as a whole; text of 1 to 255 characters, within a tenant or directory.',
      minLength: 1,
      maxLength: 255,
      pattern: plainText,
      examples: ['acct_8231'],
    }),
  ),
  group: Type.Optional(
    Type.String({ description: 'group: the id of a group, whose users are listed.', minLength: 1, maxLength: 100 }),
  ),
  active: Type.Optional(flag('active')),
  updated_since: Type.Optional(updatedSince),
  search: Type.Optional(searched('search', 'the userName, of any word of the name, or of any email address of users')),
  role: Type.Optional(
    Type.String({
      description: 'role: a role that a mapping gives, text of 1 to 100 characters; without other filters.',
      minLength: 1,
      maxLength: 100,
      pattern: plainText,
    }),
  ),
  sort: Type.Optional(
    Type.Enum(userOrders, {
      description:
        'sort: created (the order of creation, the default), name or name-descending (by userName), or changed (the last change first); of one directory, and with no other filter than active.',
    }),
  ),
  bucket: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 4095 },
      description:
        'bucket: lists the users of this bucket of GET /:id/digest; with buckets and directoryId, and without filters.',
    }),
  ),
  buckets: Type.Optional(bucketsField),
  total: totalField,
})

/** `GET /groups` */
export const GroupListingInput = Type.Object({
  ...ListingInput.properties,
  name: Type.Optional(lookupValue('name', 'the name of a group')),
  updated_since: Type.Optional(updatedSince),
  search: Type.Optional(searched('search', 'any word of the name of groups')),
})

/** `GET /groups/:id/members` */
export const MemberListingInput = Type.Object({
  ...ListingInput.properties,
  expand: Type.Optional(Type.Enum(['user'], { description: 'expand: user returns each user beside its id.' })),
})

/** `GET /groups/:id` */
export const OneGroupInput = Type.Object({
  ...ScopeInput.properties,
  members: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'members: false returns an empty list instead of the members; or true.',
    }),
  ),
})

/** The fields that are missing or invalid. */
function problemsOf({ properties, required }: ObjectSchema, input: object): FieldProblem[] {
  return Object.entries(properties).flatMap(([field, schema]) => {
    const value: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : undefined
    const isRight = value === undefined ? !required?.includes(field) : matches(schema, value)
    return isRight ? [] : [{ field, message: descriptionOf(schema) ?? `${field} is invalid.` }]
  })
}

function descriptionOf(schema: Schema): string | undefined {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : undefined
}

/**
 * Checks an input against its schema.
 *
 * @throws DirectoryError `invalid-input`, which says what every invalid field must be, and suggests a name for every
 * unknown field
 */
export function parseInput<S extends ObjectSchema>(schema: S, input: unknown): Static<S> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new DirectoryError('invalid-input', 'Send a JSON object.')
  }
  throwProblems([...problemsOf(schema, input), ...unknownFields(Object.keys(schema.properties), input)])
  return input as Static<S>
}
