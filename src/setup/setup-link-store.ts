import type { AuditWrite } from '../directory/audit.ts'
import type { SetupLink } from './setup-link.ts'

export interface SetupLinkListPart {
  readonly after?: Pick<SetupLink, 'id' | 'createdAt'> | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/** The links to list: those that meet every condition. */
export interface SetupLinkFilter {
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  readonly directoryId?: string | undefined
}

/** A page of links, newest first: those before a position. */
export interface NewestSetupLinks {
  readonly before: Pick<SetupLink, 'id' | 'createdAt'> | undefined
  readonly limit: number
}

/** The storage of setup links. A tenant has at most one link for a product that is not revoked. */
export interface SetupLinkStore {
  /**
   * Creates a link, or returns the existing one of the tenant for the product if it has not expired at
   * `link.createdAt`. With `replaces`, or if it has expired, the existing link is revoked in the same commit. Links
   * that expired before `forgetBefore` (Unix milliseconds) are removed, a few at a time.
   */
  createSetupLink(
    link: SetupLink,
    audit: AuditWrite,
    options: { readonly replaces: boolean; readonly forgetBefore: number },
  ): Promise<'created' | SetupLink>
  /** Finds a link by id; undefined when it is revoked. */
  getSetupLink(id: string): Promise<SetupLink | undefined>
  /** The link of a tenant for a product; undefined when there is none or it is revoked. */
  getSetupLinkOf(tenant: string, product: string): Promise<SetupLink | undefined>
  /** Finds a link by the digest of its token, even when it is revoked. */
  findSetupLink(tokenDigest: string): Promise<SetupLink | undefined>
  /** The links of a product that are not revoked, in creation order. */
  listSetupLinks(product: string, part: SetupLinkListPart): Promise<SetupLink[]>
  /** All links, newest first, with those that are revoked or have expired. */
  listNewestSetupLinks(filter: SetupLinkFilter, part: NewestSetupLinks): Promise<SetupLink[]>
  /** Records when a link was first opened or used, in Unix milliseconds. */
  markSetupLink(id: string, mark: 'opened' | 'used', at: number): Promise<void>
  /** Revokes a link; false, without a write, if it does not exist or is already revoked. */
  revokeSetupLink(id: string, at: number, audit: AuditWrite): Promise<boolean>
  /** Sets the directory of a link that has none; false, without a write, if it has one or is revoked. */
  setSetupLinkDirectory(id: string, directoryId: string): Promise<boolean>
}
