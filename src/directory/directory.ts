import type { DirectoryType } from './provider.ts'

/** One connection: a tenant's directory for a product. Times are Unix milliseconds; secrets are in plain text here. */
export interface Directory {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly directoryType: DirectoryType
  readonly scimSecret: string
  /** The secret before the last rotation, while its grace period lasts. */
  readonly previousScimSecret: ExpiringSecret | undefined
  readonly endpoint: Endpoint | undefined
  readonly google: GoogleConnection | undefined
  readonly logWebhookEvents: boolean
  readonly deactivated: boolean
  readonly createdAt: number
  /** Counts the changes of this record. A write of users or groups that was authorized under another revision is refused. */
  readonly revision: number
}

/** A secret that is still good until a time in Unix milliseconds. */
export interface ExpiringSecret {
  readonly secret: string
  readonly expiresAt: number
}

/** Where a directory's events are POSTed, and the secret that signs them. */
export interface Endpoint {
  readonly url: string
  readonly secret: string
  /** The secret before the last rotation: while its grace period lasts, both sign. */
  readonly previousSecret: ExpiringSecret | undefined
}

/** How a Google Workspace directory is reached: with the tokens of an administrator, or by a service account. */
export interface GoogleConnection {
  /** Only users and groups of this domain; the whole customer account without it. */
  readonly domain: string | undefined
  readonly accessToken: string | undefined
  readonly refreshToken: string | undefined
  /** Unix milliseconds; undefined when nobody said. */
  readonly accessTokenExpiresAt?: number | undefined
  /** Of the tokens: the scopes that were granted, separated by blanks. */
  readonly scope?: string | undefined
  readonly serviceAccount?: ServiceAccount | undefined
  /** Why Google takes the tokens no more, in a sentence: an administrator has to consent anew. */
  readonly authorizationNeeded?: string | undefined
}

/** A service account with domain-wide delegation. */
export interface ServiceAccount {
  readonly clientEmail: string
  /** PEM. */
  readonly privateKey: string
  readonly privateKeyId: string | undefined
  /** The e-mail address of the administrator that it acts as. */
  readonly subject: string
}

/** Which directory a write is for, as it was when the request was authorized. */
export type DirectoryRevision = Pick<Directory, 'id' | 'revision'>

/** Which directories a call may see; each given part narrows. */
export interface DirectoryScope {
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  readonly directoryId?: string | undefined
}
