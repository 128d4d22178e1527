import type { ScimProfile } from '../scim/schema/resource-type.ts'
import type { EndpointHeaders } from './endpoint-headers.ts'
import type { DirectoryType } from './provider.ts'
import type { RemovalLimit } from './removal-limit.ts'

/** The credentials of SCIM requests: the SCIM secret or an access token (`any`), or only an access token. */
export const scimAuths = ['any', 'oauth'] as const

export type ScimAuth = (typeof scimAuths)[number]

/** Whether the first events of a directory are held until its users are linked to accounts of the product. */
export const adoptions = ['hold', 'off'] as const

export type Adoption = (typeof adoptions)[number]

/** What happens to users with an address outside the allowed domains: they are marked, or the request is refused. */
export const outsideActions = ['flag', 'refuse'] as const

/** The domains whose addresses a directory may provision, in ASCII and lower case; none means any. */
export interface DomainRules {
  readonly allowed: readonly string[]
  readonly outside: (typeof outsideActions)[number]
}

/** A tenant's directory for a product. Times are Unix milliseconds; secrets are in plain text here. */
export interface Directory {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly directoryType: DirectoryType
  readonly scimSecret: string
  /** The secret before the last rotation, valid during its grace period. */
  readonly previousScimSecret: ExpiringSecret | undefined
  /** Undefined: `any`. */
  readonly scimAuth?: ScimAuth | undefined
  /** How SCIM requests are read; undefined: `tolerant`. Google Workspace syncs ignore it. */
  readonly scimProfile?: ScimProfile | undefined
  /** Set while the first events are held until the users are linked to accounts of the product. A hold: no update changes it. */
  readonly adoption?: 'hold' | undefined
  /** Its OAuth clients; they are changed by themselves: see `oauth/clients.ts`. */
  readonly oauthClients?: readonly OAuthClientReference[] | undefined
  readonly endpoint: Endpoint | undefined
  readonly google: GoogleConnection | undefined
  readonly logWebhookEvents: boolean
  /** Whether the request log keeps the bodies of all SCIM requests, not only of rejected ones. */
  readonly logScimRequests: boolean
  /** Whether a second group with the same name, in any letter case, is rejected. Google Workspace syncs ignore it. */
  readonly uniqueGroupNames: boolean
  readonly deactivated: boolean
  /** The number of removals that holds its events; null: no limit, undefined: the limit of the settings. */
  readonly removalLimit?: RemovalLimit | null | undefined
  /** The domains of the addresses that it may provision; undefined: any. */
  readonly domains?: DomainRules | undefined
  /** The mapping in effect: its own, else that of its product; undefined: none. */
  readonly mapping?: MappingReference | undefined
  readonly createdAt: number
  /** Set of a deleted directory whose last events are still sent. Unix milliseconds. */
  readonly deletedAt?: number
  /**
   * A counter of the changes of this record. Writes of users and groups are rejected if it changed since their
   * authorization.
   */
  readonly revision: number
}

/** A version of the mapping of a directory or of a product; `removed` while users lose what the last one gave them. */
export interface MappingReference {
  readonly source: 'directory' | 'product' | 'removed'
  readonly version: number
  /** The version of the product's mapping that the directory's own one extends; 0: the product has none; undefined: it does not extend it. */
  readonly extended?: number | undefined
}

/** An OAuth client in the record of its directory. */
export interface OAuthClientReference {
  readonly id: string
  /** The end of its secret, in Unix milliseconds; undefined: never. */
  readonly expiresAt: number | undefined
}

/** A secret that is valid until a time in Unix milliseconds. */
export interface ExpiringSecret {
  readonly secret: string
  readonly expiresAt: number
}

/** The URL that receives a directory's events, and the secret that signs them. */
export interface Endpoint {
  readonly url: string
  readonly secret: string
  /** The secret before the last rotation; events are signed with both during its grace period. */
  readonly previousSecret: ExpiringSecret | undefined
  /** Sent with every request; they are secrets, too. */
  readonly headers?: EndpointHeaders | undefined
}

/** The access to a Google Workspace: with an administrator's tokens or with a service account. */
export interface GoogleConnection {
  /** Restricts the sync to users and groups of this domain; undefined: the whole customer account. */
  readonly domain: string | undefined
  /** The only groups to sync, whose members are synced as well; undefined: no restriction, as for `orgUnits`. */
  readonly groups?: readonly ChosenGroup[] | undefined
  /** The paths of the organizational units whose users are synced, with the units below them. */
  readonly orgUnits?: readonly string[] | undefined
  readonly accessToken: string | undefined
  readonly refreshToken: string | undefined
  /** Unix milliseconds; undefined when unknown. */
  readonly accessTokenExpiresAt?: number | undefined
  /** The OAuth scopes that were granted, separated by spaces. */
  readonly scope?: string | undefined
  readonly serviceAccount?: ServiceAccount | undefined
  /** Google's id of the customer that consented; undefined when unknown. */
  readonly workspace?: string | undefined
  /** The number of completed consents, approved or not. */
  readonly consents?: number | undefined
  /** A consent that waits for approval. */
  readonly pending?: PendingConnection | undefined
  /** The reason why Google rejects the credentials, in a sentence; an administrator has to consent again. */
  readonly authorizationNeeded?: string | undefined
}

/** A group that is synced by choice. */
export interface ChosenGroup {
  /** The address, in lower case, or the id, as it was entered. */
  readonly key: string
  /** Google's id of the group, which stays the same when its address changes; undefined until a sync has found it. */
  readonly id?: string
  /** Whether the last sync found that the group had been deleted. */
  readonly isGone?: boolean
}

/** The tokens of a consent that is not used until it is approved. */
export interface PendingConnection {
  readonly accessToken: string
  readonly refreshToken: string
  readonly accessTokenExpiresAt: number | undefined
  readonly scope: string | undefined
  readonly workspace: string | undefined
  /** The reason why it must be approved, in a sentence. */
  readonly reason: string
}

/** A service account with domain-wide delegation. */
export interface ServiceAccount {
  readonly clientEmail: string
  /** PEM. */
  readonly privateKey: string
  readonly privateKeyId: string | undefined
  /** The email address of the administrator that the account impersonates. */
  readonly subject: string
}

/** The directory of a write, as it was when the request was authorized. */
export type DirectoryRevision = Pick<
  Directory,
  'id' | 'revision' | 'tenant' | 'product' | 'removalLimit' | 'mapping' | 'domains'
> &
  Partial<Pick<Directory, 'uniqueGroupNames' | 'scimProfile'>>

/** The directories that a request may read; every field that is set must match. */
export interface DirectoryScope {
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  readonly directoryId?: string | undefined
}

/** A scope of one directory. */
export interface NamedScope extends DirectoryScope {
  readonly directoryId: string
}

/** Returns whether a scope names a directory. */
export function isNamed(scope: DirectoryScope): scope is NamedScope {
  return scope.directoryId !== undefined
}

/** A scope of all directories of a product. */
export interface ProductScope extends DirectoryScope {
  readonly product: string
}

/** Returns whether a scope is a product with all its tenants. */
export function isOfProduct(scope: DirectoryScope): scope is ProductScope {
  return scope.product !== undefined && scope.tenant === undefined && scope.directoryId === undefined
}
