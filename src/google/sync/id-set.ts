import { hash } from 'node:crypto'

/** A set of ids that can only grow. */
export interface IdSet {
  /** False if the id is already in the set. */
  add(id: string): boolean
  has(id: string): boolean
  readonly size: number
}

const wordsPerDigest = 4
const firstSlots = 1024
const growth = 1.5
const maxLoad = 0.85

/**
 * Creates a hash table that stores 128 bits of each id's digest in one typed array: about 20 bytes per id, where a
 * `Set` of strings takes about 100. A collision would keep a user who no longer exists; among a million ids its
 * probability is below 10^-26, and ids cannot be chosen to cause one.
 */
export function createIdSet(): IdSet {
  let words = new Uint32Array(firstSlots * wordsPerDigest)
  let size = 0

  function grow(): void {
    const before = words
    words = new Uint32Array(Math.ceil((before.length / wordsPerDigest) * growth) * wordsPerDigest)
    for (let at = 0; at < before.length; at += wordsPerDigest) {
      const digest = before.subarray(at, at + wordsPerDigest)
      if (isOccupied(digest, 0)) words.set(digest, slotOf(words, digest))
    }
  }

  return {
    add(id) {
      const digest = digestOf(id)
      const slot = slotOf(words, digest)
      if (isOccupied(words, slot)) return false
      words.set(digest, slot)
      size += 1
      if (size > (words.length / wordsPerDigest) * maxLoad) grow()
      return true
    },
    has: (id) => isOccupied(words, slotOf(words, digestOf(id))),
    get size() {
      return size
    },
  }
}

function digestOf(id: string): Uint32Array {
  const bytes = hash('sha256', id, 'buffer')
  const digest = new Uint32Array(wordsPerDigest)
  for (let word = 0; word < wordsPerDigest; word += 1) digest[word] = bytes.readUInt32LE(word * 4)
  // All zeros mark an empty slot.
  if (!isOccupied(digest, 0)) digest[0] = 1
  return digest
}

function isOccupied(words: Uint32Array, at: number): boolean {
  return ((words[at] ?? 0) | (words[at + 1] ?? 0) | (words[at + 2] ?? 0) | (words[at + 3] ?? 0)) !== 0
}

/** The slot of a digest, or the empty one in which it belongs (linear probing). */
function slotOf(words: Uint32Array, digest: Uint32Array): number {
  const slots = words.length / wordsPerDigest
  let at = ((digest[0] ?? 0) % slots) * wordsPerDigest
  while (isOccupied(words, at) && !isAt(words, at, digest)) at = (at + wordsPerDigest) % words.length
  return at
}

function isAt(words: Uint32Array, at: number, digest: Uint32Array): boolean {
  for (let word = 0; word < wordsPerDigest; word += 1) if (words[at + word] !== digest[word]) return false
  return true
}
