import { generateKeyPairSync } from 'node:crypto'

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
const rsaOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding, privateKeyEncoding })
const rsa = rsaOf(2_048)
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding })

/** Keys that no service account uses. */
export const publicKey: string = rsa.publicKey
export const ellipticKey: string = elliptic.privateKey
export const shortKey: string = rsaOf(1_024).privateKey

/** An RSA key that takes seconds to sign with: 20,000 bits, and no primes to compute with instead. RFC 8017 §A.1.2. */
export function longKey(): string {
  const bits = 20_000n
  const [version, modulus, exponent, unused] = [0n, (1n << bits) - 1n, (1n << (bits - 1n)) - 3n, 1n]
  const numbers = [version, modulus, 65_537n, exponent, unused, unused, unused, unused, unused]
  const der = element(0x30, Buffer.concat(numbers.map((number) => element(0x02, unsigned(number)))))
  return `-----BEGIN RSA PRIVATE KEY-----\n${der.toString('base64')}\n-----END RSA PRIVATE KEY-----\n`
}

function unsigned(number: bigint): Buffer {
  const digits = number.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? `00${digits}` : `0${digits}`, 'hex')
}

/** ASN.1 in DER, with a length in two bytes. */
function element(tag: number, content: Buffer): Buffer {
  const head = Buffer.from([tag, 0x82, 0, 0])
  head.writeUInt16BE(content.length, 2)
  return Buffer.concat([head, content])
}

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
