import { sha256 } from './sha256.ts'

/** The fields of users that can be compared. */
export const comparedFields = ['active', 'email', 'first_name', 'last_name', 'account_id', 'roles'] as const

export type ComparedField = (typeof comparedFields)[number]

/** The value of a compared field as text: `true` or `false`, and roles joined by commas; null for none. */
export type ComparedText = string | null

type Sha256 = (message: Uint8Array) => Uint8Array

const encoder = new TextEncoder()

/** The bucket of a user: the first 32 bits of SHA-256 of its id, modulo the number of buckets. */
export function bucketOf(id: string, buckets: number, hash: Sha256 = sha256): number {
  const { buffer, byteOffset } = hash(encoder.encode(id))
  return new DataView(buffer, byteOffset).getUint32(0) % buckets
}

/**
 * The digest of a user as a number: SHA-256 over its id and the texts of its fields, each as four bytes of big-endian length and UTF-8; null
 * is the length 0xFFFFFFFF without a text.
 */
export function userDigest(id: string, texts: readonly ComparedText[], hash: Sha256 = sha256): bigint {
  const encoded = [id, ...texts].map((text) => (text === null ? undefined : encoder.encode(text)))
  const bytes = new Uint8Array(encoded.reduce((length, text) => length + 4 + (text?.length ?? 0), 0))
  const view = new DataView(bytes.buffer)
  let end = 0
  for (const text of encoded) {
    view.setUint32(end, text?.length ?? 0xffff_ffff)
    if (text !== undefined) bytes.set(text, end + 4)
    end += 4 + (text?.length ?? 0)
  }
  const { buffer, byteOffset } = hash(bytes)
  const words = new DataView(buffer, byteOffset, 32)
  return [0, 8, 16, 24].reduce((number, at) => (number << 64n) | words.getBigUint64(at), 0n)
}

/** Adds up the digests of users, in any order, by bucket. */
export function createBucketDigests(buckets: number, hash: Sha256 = sha256) {
  const counts = Array.from({ length: buckets }, () => 0)
  const sums = counts.map(() => 0n)
  let users = 0
  return {
    add(id: string, texts: readonly ComparedText[]): void {
      const bucket = bucketOf(id, buckets, hash)
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sums[bucket] = (sums[bucket] ?? 0n) ^ userDigest(id, texts, hash)
      users += 1
    },
    users: () => users,
    /** The buckets as the API returns them, or as it would with fewer. */
    list: (fewer = buckets) =>
      Array.from({ length: fewer }, (_, bucket) => {
        let [count, sum] = [0, 0n]
        for (let from = bucket; from < buckets; from += fewer) {
          count += counts[from] ?? 0
          sum ^= sums[from] ?? 0n
        }
        return { count, digest: sum.toString(16).padStart(64, '0') }
      }),
  }
}
