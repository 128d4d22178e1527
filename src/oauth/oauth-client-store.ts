import type { AuditWrite } from '../directory/audit.ts'
import type { FederatedClient, OAuthClient } from './oauth-client.ts'

/** A client whose secret expires. */
export interface ExpiringClient {
  readonly directoryId: string
  readonly id: string
  readonly name: string | undefined
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** The storage of OAuth clients. Only those of existing directories are found. */
export interface OAuthClientStore {
  /** Creates a client unless its directory has `maxPerDirectory` clients. Exact for concurrent calls. */
  createOAuthClient(
    client: OAuthClient,
    audit: AuditWrite,
    maxPerDirectory: number,
  ): Promise<'created' | 'too-many-clients' | 'directory-not-found'>
  /** The clients of a directory, in creation order. */
  listOAuthClients(directoryId: string): Promise<OAuthClient[]>
  getOAuthClient(id: string): Promise<OAuthClient | undefined>
  /** At most `limit` clients with an issuer and subject. Tenants take turns: none can keep out the first client of another. */
  findFederatedClients(issuer: string, subject: string, limit: number): Promise<FederatedClient[]>
  /**
   * Deletes a client; false when the directory has none with this id. The revision of the directory changes: writes that
   * were authorized with a token of the client are refused.
   */
  deleteOAuthClient(directoryId: string, id: string, audit: AuditWrite): Promise<boolean>
  touchOAuthClient(directoryId: string, id: string, at: number): Promise<void>
  /** Takes at most `limit` clients whose secret expires before a time; each is taken once. */
  takeExpiringClients(before: number, limit: number): Promise<ExpiringClient[]>
}
