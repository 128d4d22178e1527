import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { BodyError, requirePlainEncoding } from './body-encoding.ts'
import { JsonBodyError } from './json-body.ts'

export const ndjsonType = 'application/x-ndjson'

/** The maximum size of an item, and of a body, in bytes. */
const maxItemBytes = 65_536
const maxBodyBytes = 134_217_728

/** A value of a streamed list, and how it is called in a message about it. */
export interface JsonItem {
  readonly value: unknown
  readonly place: string
}

/** Accepts bodies that are lists of objects, as a JSON array or as NDJSON: they are read by `jsonItems`. */
export function acceptJsonItems(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', ndjsonType], (_request, payload, done) => done(null, payload))
}

/**
 * Reads the objects of a body while it arrives, those of each chunk together.
 *
 * @throws JsonBodyError when the body is not such a list: it names the item
 */
export async function* jsonItems(
  request: FastifyRequest,
  slices: TimeSlices,
  key: string,
): AsyncGenerator<readonly JsonItem[], void, undefined> {
  requirePlainEncoding(request)
  if (request.body === undefined) throw new JsonBodyError('The body is missing: send a list, which may be [].')
  const isLines = request.headers['content-type']?.toLowerCase().startsWith(ndjsonType) ?? false
  const splitter = isLines ? createLines() : createElements()
  let size = 0
  for await (const chunk of chunksOf(request)) {
    size += chunk.length
    if (size > maxBodyBytes) throw new JsonBodyError(`The body has more than ${maxBodyBytes} bytes.`, 'too-large')
    await slices.next(key)
    yield splitter.split(chunk)
  }
  yield splitter.end()
}

/** The chunks of a body, which is read on, and dropped, if they are not all wanted: the client can read the response. */
async function* chunksOf({ raw }: FastifyRequest): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (error) {
    if (!raw.destroyed) throw error
    throw new BodyError(400, undefined, 'The body ended early: send all of it.')
  } finally {
    raw.resume()
  }
}

/** Finds the items of a body in its chunks. */
interface Splitter {
  split(chunk: Buffer): JsonItem[]
  end(): JsonItem[]
}

const lineFeed = 0x0a
const byteOrderMark = Buffer.from('\ufeff')

/** The lines of NDJSON that are not empty. */
function createLines(): Splitter {
  let rest: Buffer = Buffer.alloc(0)
  let line = 0

  function itemsOf(bytes: Buffer): JsonItem[] {
    line += 1
    const text = line === 1 && bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes
    return text.every((code) => isSpace(code)) ? [] : [itemOf(text, `Line ${line}`)]
  }

  return {
    split(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const items: JsonItem[] = []
      let start = 0
      for (let end = bytes.indexOf(lineFeed, rest.length); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        items.push(...itemsOf(bytes.subarray(start, end)))
        start = end + 1
      }
      rest = bytes.subarray(start)
      rejectLong(rest, `Line ${line + 1}`)
      return items
    },
    end: () => (rest.length === 0 ? [] : itemsOf(rest)),
  }
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const [openArray, closeArray] = [0x5b, 0x5d]
const [openObject, closeObject] = [0x7b, 0x7d]

/** The elements of a JSON array, each of which is an object. Whether the text of an element is JSON shows when it is parsed. */
function createElements(): Splitter {
  let rest: Buffer = Buffer.alloc(0)
  let element = 0
  let depth = 0
  let [isInString, isEscaped] = [false, false]
  let expected: 'array' | 'first' | 'element' | 'comma' | 'nothing' = 'array'

  /** Goes on by a byte that is part of an element; returns whether it is the last one. */
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

  /** Goes on by a byte between elements; returns whether it begins one. */
  function isFirst(code: number): boolean {
    if (expected === 'array' && code === openArray) expected = 'first'
    else if (expected === 'comma' && code === comma) expected = 'element'
    else if ((expected === 'first' || expected === 'comma') && code === closeArray) expected = 'nothing'
    else if ((expected === 'first' || expected === 'element') && code === openObject) return true
    else throw expectedElse()
    return false
  }

  function expectedElse(): JsonBodyError {
    if (expected === 'array') return new JsonBodyError('The body is not a JSON array: send [{…}, {…}], or NDJSON.')
    if (expected === 'nothing') return new JsonBodyError('The body goes on after the end of the array.')
    if (expected === 'comma') return new JsonBodyError(`Element ${element} is not followed by "," or "]".`)
    return new JsonBodyError(`Element ${element + 1} is not an object.`)
  }

  return {
    split(chunk) {
      const isMarked = expected === 'array' && rest.length === 0 && chunk.subarray(0, 3).equals(byteOrderMark)
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const items: JsonItem[] = []
      let start = depth > 0 ? 0 : bytes.length
      for (let index = isMarked ? 3 : rest.length; index < bytes.length; index += 1) {
        const code = bytes[index] ?? 0
        if (depth === 0) {
          if (isSpace(code) || !isFirst(code)) continue
          start = index
          depth = 1
        } else if (isLast(code)) {
          element += 1
          items.push(itemOf(bytes.subarray(start, index + 1), `Element ${element}`))
          expected = 'comma'
          start = bytes.length
        }
      }
      rest = bytes.subarray(start)
      rejectLong(rest, `Element ${element + 1}`)
      return items
    },
    end() {
      if (expected !== 'nothing') throw new JsonBodyError('The array has no end: send all of it.')
      return []
    },
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function rejectLong({ length }: Buffer, place: string): void {
  if (length > maxItemBytes) throw new JsonBodyError(`${place} has more than ${maxItemBytes} bytes.`, 'too-large')
}

function itemOf(bytes: Buffer, place: string): JsonItem {
  rejectLong(bytes, place)
  if (!isUtf8(bytes)) throw new JsonBodyError(`${place} is not UTF-8: encode its text as UTF-8.`)
  try {
    return { value: JSON.parse(bytes.toString()), place }
  } catch {
    throw new JsonBodyError(`${place} is not valid JSON.`)
  }
}
