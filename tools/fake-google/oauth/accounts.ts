import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync } from 'node:crypto'
import { isActive } from '../model/items.ts'
import type { WorkspaceState } from '../model/state.ts'
import { directoryScopes } from './scopes.ts'

/** Who has consented, or is acted for. */
export interface Account {
  readonly email: string
  /** Neither deleted nor suspended nor archived. */
  isAlive(): boolean
  /** Whether the account may read the directory. */
  isAdmin(): boolean
}

/**
 * The account of an address as it is from now on: who gets the address later is somebody else. An address that no user has
 * is that of an administrator beside the users.
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

/** The key file of a service account, in the names that Google gives it. */
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
  /** Not in Google's files: whom the account acts for, when it was asked for. */
  readonly subject?: string
}

export interface NewServiceAccount {
  readonly subject?: string
  /** What the account may ask for in the name of others; the scopes that a directory is read with when left out. */
  readonly scopes?: readonly string[]
}

/** What is known of a service account. */
export interface ServiceAccountKey {
  readonly keyId: string
  readonly publicKey: KeyObject
  readonly scopes: ReadonlySet<string>
}

export interface ServiceAccounts {
  /** Makes an account with a key of its own, which takes a tenth of a second. */
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
