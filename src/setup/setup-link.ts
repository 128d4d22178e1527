import type { AuditChanges, AuditTarget } from '../directory/audit.ts'
import type { Adoption, DomainRules, Endpoint } from '../directory/directory.ts'
import { urlWithoutQuery } from '../directory/endpoint.ts'
import type { DirectoryType } from '../directory/provider.ts'
import type { ScimProfile } from '../scim/schema/resource-type.ts'

/** A link with which a customer's administrator connects the directory of one tenant and product. */
export interface SetupLink {
  readonly id: string
  readonly tenant: string
  readonly product: string
  readonly name: string | undefined
  /** The directory to set up; undefined until the administrator chooses an identity provider. */
  readonly directoryId: string | undefined
  /** Whether the link was created for an existing directory, whose type is fixed. */
  readonly isDirectoryGiven: boolean
  /** The endpoint that the directory will have. */
  readonly endpoint: Pick<Endpoint, 'url' | 'secret' | 'headers'> | undefined
  /** The domains that the directory will have; undefined: any. */
  readonly domains?: DomainRules | undefined
  /** The profile that the directory will have; undefined: `tolerant`. */
  readonly scimProfile?: ScimProfile | undefined
  /** Whether the first events of the directory will be held until its users are linked to accounts. */
  readonly adoption?: 'hold' | undefined
  /** The provider types to choose from; undefined: all. */
  readonly types: readonly DirectoryType[] | undefined
  /** The groups and organizational units that the directory is restricted to, if it is of Google Workspace. */
  readonly googleScope: GoogleScope
  /** The roles that the customer may give to groups. */
  readonly roles: readonly string[]
  /** The page of the product to which the portal leads back; undefined: that of the settings. */
  readonly returnUrl?: string | undefined
  /** See `digestSetupToken`. */
  readonly tokenDigest: string
  /** The token itself, encrypted; stored only for products of Ory Polis, which read the URL of an existing link. */
  readonly token?: string | undefined
  /** Unix milliseconds, like the next two. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Time at which it was deleted or replaced by another link. */
  readonly revokedAt: number | undefined
  /** Time at which its page was first opened. */
  readonly openedAt: number | undefined
  /** Time at which something was first changed with it. */
  readonly usedAt: number | undefined
}

/** Addresses or ids of groups, and paths of units; none: no restriction. */
export interface GoogleScope {
  readonly groups: readonly string[]
  readonly orgUnits: readonly string[]
}

/** The states of a link, of which only the first three work. */
export const setupLinkStates = ['new', 'opened', 'used', 'expired', 'revoked'] as const

export type SetupLinkState = (typeof setupLinkStates)[number]

/** A setup link as the API returns it. */
export interface SetupLinkView {
  readonly setupID: string
  readonly tenant: string
  readonly product: string
  readonly service: 'dsync'
  readonly name: string | null
  /** Unix milliseconds. */
  readonly validTill: number
  /** The page for the administrator. Empty except in the response that creates the link. */
  readonly url: string
  readonly directoryId: string | null
  readonly webhook_url: string | null
  /** Only in the response that creates the link, and for products of Ory Polis. */
  readonly webhook_secret?: string
  /** The names of the further headers of the endpoint; null: none. */
  readonly webhook_headers: readonly string[] | null
  /** As the directory will have them; null: any. */
  readonly allowed_domains: readonly string[] | null
  readonly outside_domains: DomainRules['outside']
  readonly scim_profile: ScimProfile
  readonly adoption: Adoption
  readonly types: readonly DirectoryType[] | null
  /** Null: no restriction. */
  readonly extdir_groups: readonly string[] | null
  readonly extdir_org_units: readonly string[] | null
  /** The roles that the customer may give to groups; null: none. */
  readonly roles: readonly string[] | null
  /** Null: that of the settings. */
  readonly return_url: string | null
  readonly state: SetupLinkState
  /** ISO 8601 in UTC, like the next two. */
  readonly created_at: string
  readonly opened_at: string | null
  readonly used_at: string | null
}

/** @param now Unix milliseconds */
export function setupLinkView(link: SetupLink, now: number, url = ''): SetupLinkView {
  const { id: setupID, tenant, product, name, directoryId, endpoint, types, googleScope, roles } = link
  const { createdAt, expiresAt } = link
  return {
    ...{ setupID, tenant, product, service: 'dsync', name: name ?? null, validTill: expiresAt, url },
    directoryId: directoryId ?? null,
    webhook_url: endpoint?.url ?? null,
    webhook_headers: endpoint?.headers === undefined ? null : Object.keys(endpoint.headers),
    allowed_domains: link.domains?.allowed ?? null,
    outside_domains: link.domains?.outside ?? 'flag',
    scim_profile: link.scimProfile ?? 'tolerant',
    adoption: link.adoption ?? 'off',
    types: types ?? null,
    extdir_groups: nullIfEmpty(googleScope.groups),
    extdir_org_units: nullIfEmpty(googleScope.orgUnits),
    roles: nullIfEmpty(roles),
    return_url: link.returnUrl ?? null,
    state: stateOf(link, now),
    created_at: new Date(createdAt).toISOString(),
    opened_at: timeText(link.openedAt),
    used_at: timeText(link.usedAt),
  }
}

function nullIfEmpty(list: readonly string[]): readonly string[] | null {
  return list.length === 0 ? null : list
}

function stateOf(link: SetupLink, now: number): SetupLinkState {
  const { revokedAt, expiresAt, usedAt, openedAt } = link
  if (revokedAt !== undefined) return 'revoked'
  if (expiresAt <= now) return 'expired'
  // Links of version 0.2 have no times, but the directory that was made with them.
  const hasMadeDirectory = link.directoryId !== undefined && !link.isDirectoryGiven
  if (usedAt !== undefined || hasMadeDirectory) return 'used'
  return openedAt === undefined ? 'new' : 'opened'
}

function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

/**
 * The view for read-only callers: the query of the endpoint is removed, because it often contains a token of the
 * receiver.
 */
export function withoutLinkSecrets(view: SetupLinkView): SetupLinkView {
  const secret = view.webhook_secret === undefined ? {} : { webhook_secret: '' }
  return { ...view, url: '', webhook_url: view.webhook_url && urlWithoutQuery(view.webhook_url), ...secret }
}

export function setupLinkTarget({ id, tenant, product }: SetupLink): AuditTarget {
  return { kind: 'setup-link', id, tenant, product }
}

/** The changes that the audit trail records for a link that is created or deleted. */
export function setupLinkChanges(before: SetupLink | undefined, after: SetupLink | undefined): AuditChanges {
  const [from, to] = [audited(before), audited(after)]
  return Object.fromEntries(
    (Object.keys(from ?? to ?? {}) as (keyof NonNullable<typeof from>)[]).map((field) => [
      field,
      { from: from?.[field] ?? null, to: to?.[field] ?? null },
    ]),
  )
}

function audited(link: SetupLink | undefined) {
  return (
    link && {
      name: link.name,
      directory_id: link.directoryId,
      webhook_url: link.endpoint && urlWithoutQuery(link.endpoint.url),
      webhook_headers: link.endpoint?.headers && Object.keys(link.endpoint.headers),
      allowed_domains: link.domains?.allowed,
      outside_domains: link.domains?.outside,
      scim_profile: link.scimProfile,
      adoption: link.adoption,
      types: link.types,
      extdir_groups: nullIfEmpty(link.googleScope.groups),
      extdir_org_units: nullIfEmpty(link.googleScope.orgUnits),
      roles: nullIfEmpty(link.roles),
      return_url: link.returnUrl,
      expires_at: new Date(link.expiresAt).toISOString(),
    }
  )
}
