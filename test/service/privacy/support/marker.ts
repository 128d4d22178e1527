import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** A text that nothing else contains; every attribute of the person to erase contains it. */
export const marker = 'zqxmarkerxqz'

/** The marker as other encodings write it; of base64, the part that does not depend on the neighbors. */
const encoded: readonly string[] = [
  marker,
  marker.toUpperCase(),
  Buffer.from(marker).toString('hex'),
  Buffer.from(marker).toString('hex').toUpperCase(),
  [...marker].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
  [...marker].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(''),
  ...[0, 1, 2].flatMap((before) => {
    const text = Buffer.from(`${'.'.repeat(before)}${marker}`).toString('base64')
    const core = text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + marker.length) * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  }),
  Buffer.from(marker, 'utf16le').toString('latin1'),
]

const decompressions = [zstdDecompressSync, brotliDecompressSync, gunzipSync, inflateSync, inflateRawSync]

/** Whether a text or bytes contain the marker in any encoding, compressed ones included. */
export function isMarked(content: string | Uint8Array): boolean {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  if (hasMarker(bytes)) return true
  return decompressions.some((decompress) => {
    try {
      return hasMarker(decompress(bytes))
    } catch {
      return false
    }
  })
}

function hasMarker(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').toLowerCase()
  return encoded.some((one) => text.includes(one.toLowerCase()))
}

/** The places of a file where the marker is, as it is or in a frame of Zstandard. */
export function markedIn(file: Uint8Array): string[] {
  const bytes = Buffer.from(file)
  const found = hasMarker(bytes) ? ['plain'] : []
  for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    const frame = frameAt(bytes, at)
    if (frame !== undefined && isMarked(frame)) found.push(`frame at ${at}`)
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
