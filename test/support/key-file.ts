import { generateKeyPairSync } from 'node:crypto'

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding })

/** Keys that no service account uses. */
export const publicKey: string = rsa.publicKey
export const ellipticKey: string = elliptic.privateKey

/** The key file of a service account, in the format of Google's console. */
export const keyFile = {
  type: 'service_account',
  project_id: 'invented',
  private_key_id: 'key-1',
  private_key: rsa.privateKey,
  client_email: 'sync@invented.iam.gserviceaccount.com',
  client_id: '100000000000000000001',
  auth_uri: 'https://attacker.example/auth',
  token_uri: 'https://attacker.example/token',
}
