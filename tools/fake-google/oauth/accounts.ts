import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync } from 'node:crypto'

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
}

export interface ServiceAccounts {
  /** Generates an account with its own key, which takes about 100 ms. */
  register(): ServiceAccountFile
  /** The public key of an account. */
  find(clientEmail: string): KeyObject | undefined
}

export function createServiceAccounts(tokenUrl: string): ServiceAccounts {
  const keys = new Map<string, KeyObject>()
  return {
    register() {
      const number = keys.size + 1
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const email = `rollcall-${number}@fake-project.iam.gserviceaccount.com`
      keys.set(email, publicKey)
      return {
        type: 'service_account',
        project_id: 'fake-project',
        private_key_id: `fake-key-${number}`,
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        client_email: email,
        client_id: String(100_000_000_000_000 + number),
        auth_uri: tokenUrl.replace(/token$/, 'o/oauth2/v2/auth'),
        token_uri: tokenUrl,
        universe_domain: 'googleapis.com',
      }
    },
    find: (clientEmail) => keys.get(clientEmail),
  }
}
