import { createPrivateKey } from 'node:crypto'
import { Type } from '../inputs/json-schema.ts'
import { matches } from '../inputs/json-schema-check.ts'
import type { ServiceAccount } from './directory.ts'
import { throwProblems } from './errors.ts'

/** The maximum length of a key file, in characters of JSON; Google's have about 2,400. */
export const maxServiceAccountLength = 8192

/**
 * The fields read from a key file. Its URLs are ignored: the settings have Google's, and a file could name any host.
 */
const KeyFile = Type.Object({
  type: Type.Literal('service_account'),
  client_email: Type.String({ pattern: '^[^\\s\\p{Cc}@]+@[^\\s\\p{Cc}@]+$', maxLength: 320 }),
  private_key: Type.String({ minLength: 1 }),
  private_key_id: Type.Optional(Type.String({ pattern: '^[\\w-]{0,200}$' })),
  subject: Type.Optional(Type.String({ pattern: '^([^\\s\\p{Cc}@]+@[^\\s\\p{Cc}@]+)?$', maxLength: 320 })),
})

/**
 * Reads the key file of a service account, an object or its JSON text. `subject` is undefined unless the file has one.
 *
 * @throws DirectoryError `invalid-input`
 */
export function readServiceAccount(keyFile: object | string) {
  const parsed = typeof keyFile === 'string' ? parseJson(keyFile) : keyFile
  if (JSON.stringify(parsed ?? null).length > maxServiceAccountLength) rejectKeyFile('the key file is too long.')
  if (!matches(KeyFile, parsed)) return rejectKeyFile(keyFileProblem(parsed))
  const { client_email: clientEmail, private_key: privateKey, private_key_id: privateKeyId } = parsed
  if (!isSigningKey(privateKey)) rejectKeyFile(signingKeyRule)
  const account: Omit<ServiceAccount, 'subject'> = { clientEmail, privateKey, privateKeyId: privateKeyId || undefined }
  return { account, subject: parsed.subject || undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function keyFileProblem(parsed: unknown): string {
  if (typeof parsed !== 'object' || parsed === null) return 'send the JSON of the key file.'
  const { required = [] } = KeyFile
  const wrong = Object.entries(KeyFile.properties).find(([name, schema]) => {
    const value: unknown = Object.hasOwn(parsed, name) ? Reflect.get(parsed, name) : undefined
    return value === undefined ? required.includes(name) : !matches(schema, value)
  })
  const name = wrong?.[0] ?? 'type'
  return name === 'type' ? 'type must be "service_account".' : `${name} is missing or invalid.`
}

/** Key sizes in bits. Google's keys have 2,048; a key of 20,000 takes seconds for each signature. */
const [minKeySize, maxKeySize] = [2_048, 4_096]

const signingKeyRule = `private_key must be an RSA private key of ${minKeySize} to ${maxKeySize} bits in PEM, with its line breaks.`

function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0 } = {} } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' && modulusLength >= minKeySize && modulusLength <= maxKeySize
  } catch {
    return false
  }
}

function rejectKeyFile(message: string): never {
  const field = 'extdir_service_account'
  throwProblems([{ field, message: `${field}: ${message}` }])
  throw new TypeError('throwProblems always throws when there is a problem')
}
