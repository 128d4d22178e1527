import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync } from 'node:crypto'
import { isActive } from '../model/items.ts'
import type { WorkspaceState } from '../model/state.ts'
import { directoryScopes } from './scopes.ts'

/** The account that has consented or is impersonated. */
export interface Account {
  readonly email: string
  /** Whether the user is neither deleted nor suspended nor archived. */
  isAlive(): boolean
  /** Whether the account may read the directory. */
  isAdmin(): boolean
}

/**
 * Looks up the account that has an email address now; it does not change if another user gets the address later. An
 * unknown address belongs to an administrator who is not among the users.
 */
export function accountOf({ users, addresses }: WorkspaceState, email: string): Account {
  const id = addresses.ownerOf(email)
  if (id === undefined) return { email, isAlive: () => true, isAdmin: () => true }
  const user = () => users.get(id)
  const isAlive = () => {
    const now = user()
    return now !== undefined && isActive(now)
  }
  return { email, isAlive, isAdmin: () => user()?.isAdmin === true }
}

/** The key file of a service account, with Google's field names. */
export interface ServiceAccountFile {
  readonly type: 'service_account'
  readonly project_id: string
  readonly private_key_id: string
  readonly private_key: string
  readonly client_email: string
  readonly client_id: string
  readonly auth_uri: string
  readonly token_uri: string
  readonly universe_domain: string
  /** The user to impersonate, if one was requested. Google's files do not have this field. */
  readonly subject?: string
}

export interface NewServiceAccount {
  readonly subject?: string
  /** The scopes delegated to the account. Default: those that a sync needs. */
  readonly scopes?: readonly string[]
}

/** The public half of a service account. */
export interface ServiceAccountKey {
  readonly keyId: string
  readonly publicKey: KeyObject
  readonly scopes: ReadonlySet<string>
}

export interface ServiceAccounts {
  /** Generates an account with its own key, which takes about 100 ms. */
  register(account?: NewServiceAccount): ServiceAccountFile
  find(clientEmail: string): ServiceAccountKey | undefined
}

export function createServiceAccounts(tokenUrl: string): ServiceAccounts {
  const accounts = new Map<string, ServiceAccountKey>()
  return {
    register({ subject, scopes = directoryScopes } = {}) {
      const number = accounts.size + 1
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const keyId = `fake-key-${number}`
      const email = `rollcall-${number}@fake-project.iam.gserviceaccount.com`
      accounts.set(email, { keyId, publicKey, scopes: new Set(scopes) })
      return {
        type: 'service_account',
        project_id: 'fake-project',
        private_key_id: keyId,
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        client_email: email,
        client_id: String(100_000_000_000_000 + number),
        auth_uri: tokenUrl.replace(/token$/, 'o/oauth2/v2/auth'),
        token_uri: tokenUrl,
        universe_domain: 'googleapis.com',
        ...(subject !== undefined && { subject }),
      }
    },
    find: (clientEmail) => accounts.get(clientEmail),
  }
}
