import type { AuditWrite } from '../directory/audit.ts'
import type { SetupLink } from './setup-link.ts'

export interface SetupLinkListPart {
  readonly after?: Pick<SetupLink, 'id' | 'createdAt'> | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/** The storage of setup links. A tenant has at most one link for a product that is not revoked. */
export interface SetupLinkStore {
  /**
   * Creates a link unless the tenant has one for the product that has not expired at `link.createdAt`, which is returned
   * then. With `replaces`, or when it has expired, the other link is revoked in the same commit. Links that expired before
   * `forgetBefore` (Unix milliseconds) are removed, a few at a time.
   */
  createSetupLink(
    link: SetupLink,
    audit: AuditWrite,
    options: { readonly replaces: boolean; readonly forgetBefore: number },
  ): Promise<'created' | SetupLink>
  /** By id; undefined when it is revoked. */
  getSetupLink(id: string): Promise<SetupLink | undefined>
  /** The link of a tenant for a product; undefined when there is none or it is revoked. */
  getSetupLinkOf(tenant: string, product: string): Promise<SetupLink | undefined>
  /** By the digest of its token, also when it is revoked. */
  findSetupLink(tokenDigest: string): Promise<SetupLink | undefined>
  /** The links of a product that are not revoked, in creation order. */
  listSetupLinks(product: string, part: SetupLinkListPart): Promise<SetupLink[]>
  /** False, with nothing written, when there is no such link or it is revoked already. */
  revokeSetupLink(id: string, at: number, audit: AuditWrite): Promise<boolean>
  /** Names the directory of a link that has none; false, with nothing written, when it has one or is revoked. */
  setSetupLinkDirectory(id: string, directoryId: string): Promise<boolean>
}
