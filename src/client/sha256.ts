const blockBytes = 64

/** The round constants of SHA-256 (FIPS 180-4 §4.2.2), in big-endian order. */
const constants = viewOf([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])

const initialState = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

/** SHA-256 (FIPS 180-4). It is synchronous in every runtime, unlike that of the Web, `crypto.subtle`. */
export function sha256(message: Uint8Array): Uint8Array {
  const words = viewOf(initialState)
  const padded = pad(message)
  const schedule = viewOf(Array(64).fill(0))
  for (let offset = 0; offset < padded.byteLength; offset += blockBytes) {
    expand(padded, offset, schedule)
    compress(words, schedule)
  }
  return new Uint8Array(words.buffer)
}

/** The message, a one bit, zeros, and the length in bits, as whole blocks. */
function pad(message: Uint8Array): DataView<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / blockBytes) * blockBytes)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(message.length / 0x2000_0000))
  view.setUint32(bytes.length - 4, message.length << 3)
  return view
}

/** Expands a block to the 64 words of the rounds. */
function expand(padded: DataView, offset: number, schedule: DataView): void {
  const word = (n: number) => schedule.getUint32(4 * n)
  for (let n = 0; n < 16; n += 1) schedule.setUint32(4 * n, padded.getUint32(offset + 4 * n))
  for (let n = 16; n < 64; n += 1) {
    const [early, late] = [word(n - 15), word(n - 2)]
    const one = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const other = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule.setUint32(4 * n, word(n - 16) + one + word(n - 7) + other)
  }
}

function compress(words: DataView, schedule: DataView): void {
  const at = (n: number) => words.getUint32(4 * n)
  let [a, b, c, d, e, f, g, h] = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]
  for (let n = 0; n < 64; n += 1) {
    const choice = (e & f) ^ (~e & g)
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + sum + choice + constants.getUint32(4 * n) + schedule.getUint32(4 * n)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [n, value] of [a, b, c, d, e, f, g, h].entries()) words.setUint32(4 * n, at(n) + value)
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function viewOf(words: readonly number[]): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * words.length))
  for (const [n, word] of words.entries()) view.setUint32(4 * n, word)
  return view
}
