import { Readable } from 'node:stream'

const chunkLength = 65_536

/** Sends JSON text that comes in pieces, gathered into chunks that are worth a write. */
export function streamOf(pieces: AsyncIterable<string>): Readable {
  return Readable.from(gather(pieces), { objectMode: false })
}

async function* gather(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let chunk = ''
  for await (const piece of pieces) {
    chunk += piece
    if (chunk.length >= chunkLength) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk !== '') yield chunk
}
