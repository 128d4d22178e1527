import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { BodyError, requirePlainEncoding } from './body-encoding.ts'
import { JsonBodyError } from './json-body.ts'

export const ndjsonType = 'application/x-ndjson'

/** The maximum size of an object, and of a body, in bytes. */
const maxObjectBytes = 65_536
const maxBodyBytes = 134_217_728

const unsupportedType = `Send a JSON array with "Content-Type: application/json", or an object per line with "Content-Type: ${ndjsonType}".`

/** Accepts bodies that are lists of objects, which `jsonObjects` reads. */
export function acceptJsonObjects(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', ndjsonType], (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (_request, payload, done) => {
    // The client can read the response while it still sends.
    payload.resume()
    done(new BodyError(415, undefined, unsupportedType))
  })
}

/**
 * Reads the objects of a JSON array, or of NDJSON, while they arrive; those of each chunk together.
 *
 * @throws JsonBodyError, which says which object is wrong, by its number
 */
export async function* jsonObjects(
  request: FastifyRequest,
  slices: TimeSlices,
  key: string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  requirePlainEncoding(request)
  if (request.body === undefined) throw new JsonBodyError('The body is missing: send a list, such as [].')
  const objects = createObjects(request.headers['content-type']?.toLowerCase().startsWith(ndjsonType) === true)
  let size = 0
  for await (const chunk of chunksOf(request)) {
    size += chunk.length
    if (size > maxBodyBytes) throw new JsonBodyError(`The body has more than ${maxBodyBytes} bytes.`, 'too-large')
    await slices.next(key)
    yield objects.in(chunk)
  }
  objects.end()
}

/** The chunks of a body. The rest of one that is not wanted is read as well, so that the client can read the response. */
async function* chunksOf({ raw }: FastifyRequest): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (error) {
    throw raw.destroyed ? new BodyError(400, undefined, 'The body ended early: send all of it.') : error
  } finally {
    raw.resume()
  }
}

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const spaces: ReadonlySet<number> = new Set([0x20, lineFeed, 0x0d, 0x09])
const byteOrderMark: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])

/** Finds the objects of a list in its chunks. Only what is between them is checked: parsing checks the rest. */
function createObjects(isLines: boolean) {
  let rest: Buffer = Buffer.alloc(0)
  let [count, depth] = [0, 0]
  let [isInString, isEscaped] = [false, false]
  let expected: 'array' | 'first' | 'object' | 'separator' | 'nothing' = isLines ? 'first' : 'array'

  /** Goes on by a byte of an object; returns whether it is the last one. */
  function isLast(code: number): boolean {
    if (isEscaped) isEscaped = false
    else if (isInString) {
      isEscaped = code === backslash
      isInString = code !== quote
    } else if (code === quote) isInString = true
    else if (code === openObject || code === openArray) depth += 1
    else if (code === closeObject || code === closeArray) depth -= 1
    return depth === 0
  }

  /** Goes on by a byte between objects; returns whether it begins one. */
  function isFirst(code: number): boolean {
    const isEmpty = expected === 'first' || expected === 'separator'
    if (code === openObject && (expected === 'first' || expected === 'object')) return true
    if (expected === 'separator' && code === (isLines ? lineFeed : comma)) expected = 'object'
    else if (expected === 'array' && code === openArray) expected = 'first'
    else if (isEmpty && !isLines && code === closeArray) expected = 'nothing'
    else if (!spaces.has(code) && !(count === 0 && byteOrderMark.has(code))) throw wrong()
    return false
  }

  function wrong(): JsonBodyError {
    const separator = isLines ? 'on a line of its own' : 'separated from the others by a comma, in an array that ends'
    const where = expected === 'separator' ? `After object ${count}` : `Object ${count + 1}`
    return new JsonBodyError(`${where} of the list: send each object ${separator}, and nothing else.`)
  }

  function parse(bytes: Buffer): unknown {
    count += 1
    if (!isUtf8(bytes)) throw new JsonBodyError(`Object ${count} of the list is not UTF-8: encode it as UTF-8.`)
    try {
      return JSON.parse(bytes.toString())
    } catch {
      throw new JsonBodyError(`Object ${count} of the list is not valid JSON.`)
    }
  }

  return {
    /** The objects that end in a chunk. */
    in(chunk: Buffer): unknown[] {
      const bytes = Buffer.concat([rest, chunk])
      const found: unknown[] = []
      let start = 0
      for (let index = rest.length; index < bytes.length; index += 1) {
        const code = bytes[index] ?? 0
        if (depth === 0 && isFirst(code)) {
          start = index
          depth = 1
        } else if (depth > 0 && isLast(code)) {
          found.push(parse(bytes.subarray(start, index + 1)))
          expected = 'separator'
        }
      }
      rest = depth === 0 ? bytes.subarray(bytes.length) : bytes.subarray(start)
      if (rest.length > maxObjectBytes)
        throw new JsonBodyError(`Object ${count + 1} of the list has more than ${maxObjectBytes} bytes.`, 'too-large')
      return found
    },
    /** @throws JsonBodyError when the list does not end */
    end(): void {
      if (depth > 0 || (!isLines && expected !== 'nothing')) throw wrong()
    },
  }
}
