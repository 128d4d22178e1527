/** A response. The body is a view that is valid until the next bytes arrive; a chunked body is not decoded. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
}

const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * Reads the response at the beginning of the bytes; undefined while it is incomplete. JSON contains no line breaks, so
 * a chunked response is complete when the bytes end like the last chunk.
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const start = headEnd + 4
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(length) && status !== 204 && status !== 304) {
    const isWhole = bytes.length > start && bytes.subarray(-lastChunk.length).equals(lastChunk)
    return isWhole ? { status, body: bytes.subarray(start) } : undefined
  }
  const end = start + (length || 0)
  return bytes.length < end ? undefined : { status, body: bytes.subarray(start, end) }
}
