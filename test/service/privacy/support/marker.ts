import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** A text that nothing else contains; every attribute of the person to erase contains it. */
export const marker = 'zqxmarkerxqz'

/** A text as other encodings write it; of base64, the part that does not depend on the neighbors. */
function encodingsOf(text: string): readonly string[] {
  const utf8 = Buffer.from(text)
  const units = [...Array(text.length).keys()].map((at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
  return [
    utf8.toString('latin1'),
    utf8.toString('hex'),
    [...utf8].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    units.map((unit) => `\\u${unit}`).join(''),
    ...[0, 1, 2].flatMap((before) => {
      const encoded = Buffer.concat([Buffer.alloc(before, '.'), utf8]).toString('base64')
      const core = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + utf8.length) * 8) / 6))
      return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
    }),
    Buffer.from(text, 'utf16le').toString('latin1'),
  ]
}

/** What is looked for: the encodings of texts; those of fewer than six bytes only as they are and as whole words. */
export type Searched = readonly (string | RegExp)[]

export function searchedFor(texts: readonly string[]): Searched {
  return texts.flatMap((text): Searched => {
    if (Buffer.byteLength(text) >= 6) return encodingsOf(text).map((one) => one.toLowerCase())
    return [new RegExp(`(?<![\\w@-])${Buffer.from(text).toString('latin1')}(?![\\w@-])`, 'i')]
  })
}

const searchedMarker = searchedFor([marker])

const decompressions = [zstdDecompressSync, brotliDecompressSync, gunzipSync, inflateSync, inflateRawSync]

/** Whether a text, or bytes that may be compressed, contain what is looked for in any encoding, by default the marker. */
export function isMarked(content: string | Uint8Array, searched = searchedMarker): boolean {
  const bytes = Buffer.from(content)
  if (has(bytes, searched)) return true
  // A text is not compressed, and trying so for each of a thousand texts takes seconds.
  if (typeof content === 'string') return false
  return decompressions.some((decompress) => {
    try {
      return has(decompress(bytes), searched)
    } catch {
      return false
    }
  })
}

function has(bytes: Buffer, searched: Searched): boolean {
  const text = bytes.toString('latin1').toLowerCase()
  return searched.some((one) => (typeof one === 'string' ? text.includes(one) : one.test(text)))
}

/** The places of a file where it is, as it is or in a frame of Zstandard. */
export function markedIn(file: Uint8Array, searched = searchedMarker): string[] {
  const bytes = Buffer.from(file)
  const found = has(bytes, searched) ? ['plain'] : []
  for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    const frame = frameAt(bytes, at)
    if (frame !== undefined && isMarked(frame, searched)) found.push(`frame at ${at}`)
  }
  return found
}

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The frame that begins at an offset: its header, then blocks until the last one (RFC 8878 §3.1.1). */
function frameAt(bytes: Buffer, start: number): Buffer | undefined {
  const descriptor = bytes[start + 4] ?? 0
  const isSingle = (descriptor & 0x20) !== 0
  const idBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  let at = start + 5 + (isSingle ? 0 : 1) + idBytes + sizeBytes
  for (;;) {
    if (at + 3 > bytes.length) return undefined
    const header = bytes.readUIntLE(at, 3)
    const isRepeated = ((header >> 1) & 3) === 1
    at += 3 + (isRepeated ? 1 : header >> 3)
    if ((header & 1) === 1) break
  }
  return bytes.subarray(start, at + ((descriptor & 4) === 0 ? 0 : 4))
}
