import { hash } from 'node:crypto'

/** Which ids a run has seen. */
export interface Seen {
  /** Notes an id; false when it was there. */
  add(id: string): boolean
  has(id: string): boolean
  readonly size: number
}

const wordsPerDigest = 4
const firstSlots = 1024
const growth = 1.5
const maxLoad = 0.85

/**
 * A set of ids that holds no ids, but 128 bits of the digest of each, in one typed array: about 20 bytes per id, where a
 * `Set` of texts takes about 100, and nothing for the garbage collector to walk. Two ids of the same digest would keep
 * somebody who is gone; among a million ids the odds of that are below one to 10^26, and nobody can choose an id to bring
 * it about.
 */
export function createSeen(): Seen {
  let words = new Uint32Array(firstSlots * wordsPerDigest)
  let size = 0

  function grow(): void {
    const before = words
    words = new Uint32Array(Math.ceil((before.length / wordsPerDigest) * growth) * wordsPerDigest)
    for (let at = 0; at < before.length; at += wordsPerDigest) {
      const digest = before.subarray(at, at + wordsPerDigest)
      if (isTaken(digest, 0)) words.set(digest, slotOf(words, digest))
    }
  }

  return {
    add(id) {
      const digest = digestOf(id)
      const slot = slotOf(words, digest)
      if (isTaken(words, slot)) return false
      words.set(digest, slot)
      size += 1
      if (size > (words.length / wordsPerDigest) * maxLoad) grow()
      return true
    },
    has: (id) => isTaken(words, slotOf(words, digestOf(id))),
    get size() {
      return size
    },
  }
}

function digestOf(id: string): Uint32Array {
  const bytes = hash('sha256', id, 'buffer')
  const digest = new Uint32Array(wordsPerDigest)
  for (let word = 0; word < wordsPerDigest; word += 1) digest[word] = bytes.readUInt32LE(word * 4)
  // All zeros mean an empty slot.
  if (!isTaken(digest, 0)) digest[0] = 1
  return digest
}

function isTaken(words: Uint32Array, at: number): boolean {
  return ((words[at] ?? 0) | (words[at + 1] ?? 0) | (words[at + 2] ?? 0) | (words[at + 3] ?? 0)) !== 0
}

/** Where a digest is, or where it belongs: the slots behind its own are tried in turn. */
function slotOf(words: Uint32Array, digest: Uint32Array): number {
  const slots = words.length / wordsPerDigest
  let at = ((digest[0] ?? 0) % slots) * wordsPerDigest
  while (isTaken(words, at) && !isAt(words, at, digest)) at = (at + wordsPerDigest) % words.length
  return at
}

function isAt(words: Uint32Array, at: number, digest: Uint32Array): boolean {
  for (let word = 0; word < wordsPerDigest; word += 1) if (words[at + word] !== digest[word]) return false
  return true
}
