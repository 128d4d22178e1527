import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { maxResourceLength } from '../directory/limits.ts'
import { createJsonParts } from './json-parts.ts'
import type { ExceededLimit, JsonLimits, JsonScan } from './json-scan.ts'
import { createJsonScan, exceededLimit, numbersIn } from './json-scan.ts'

/** The limits of a body beside its size. They keep the time and the memory that it takes to parse it small. */
const defaultLimits: JsonLimits = {
  depth: 64,
  values: 262_144,
  shapes: 10_000,
  // A character of UTF-8 that is one in JavaScript takes up to three bytes.
  stringLength: 3 * maxResourceLength,
}

/** A body may have a value per this many bytes of the largest body: a larger body is accepted with more values. */
const bytesPerValue = 20

/** A body that is not JSON, or that the service does not accept as JSON. */
export class JsonBodyError extends Error {
  override readonly name = 'JsonBodyError'
  readonly status: 400 | 413
  readonly scimType: 'invalidSyntax' | 'invalidValue' | undefined

  constructor(message: string, problem: 'invalidSyntax' | 'invalidValue' | 'too-large' = 'invalidSyntax') {
    super(message)
    this.status = problem === 'too-large' ? 413 : 400
    this.scimType = problem === 'too-large' ? undefined : problem
  }
}

/** Bodies that are not read by Fastify. */
export interface LargeBodies {
  /** The body of a request in UTF-8, if it is one of those. */
  of(request: FastifyRequest): Buffer | undefined
}

export interface JsonBodyOptions {
  /** The maximum size of a body, in bytes. */
  readonly bodyLimit: number
  readonly largeBodies: LargeBodies
  /** In which large bodies are parsed. */
  readonly slices: TimeSlices
}

/** Parses JSON bodies of these media types. An empty body is undefined: some clients send a media type with a DELETE. */
export function acceptJson(app: FastifyInstance, mediaTypes: string[], options?: JsonBodyOptions): void {
  const values = Math.max(defaultLimits.values, Math.floor((options?.bodyLimit ?? 0) / bytesPerValue))
  const limits = { ...defaultLimits, values }
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(mediaTypes, { parseAs: 'string' }, (request, content, done) => {
    const bytes = options?.largeBodies.of(request)
    if (bytes !== undefined && options !== undefined) {
      parseLargeBody(bytes, limits, options.slices).then((body) => done(null, body), done)
      return
    }
    try {
      done(null, parseJsonBody(String(content), limits))
    } catch (error) {
      done(error instanceof Error ? error : new JsonBodyError('The body is not JSON.'), undefined)
    }
  })
}

/** Bytes that are scanned in a time slice, and of the parts that are parsed. */
const sliceLength = 65_536

/** Parses a body like `parseJsonBody`; other requests are served between the steps, and before the body is handled. */
async function parseLargeBody(bytes: Buffer, limits: JsonLimits, slices: TimeSlices): Promise<unknown> {
  const json = bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes
  const parts = createJsonParts(json, sliceLength, checkContent)
  await slices.next()
  try {
    // First without parsing: of a body that exceeds a limit, nothing is parsed.
    await scanInSlices(createJsonScan(json, limits), limits, slices)
    await scanInSlices(createJsonScan(json, limits, parts), limits, slices)
    return parts.value()
  } catch (error) {
    throw notJson(error)
  } finally {
    await slices.next()
  }
}

async function scanInSlices(scan: JsonScan, limits: JsonLimits, slices: TimeSlices): Promise<void> {
  for (let found = scan.advance(sliceLength); found !== 'end'; found = scan.advance(sliceLength)) {
    if (found !== undefined) throw limitError(found, limits)
    await slices.next()
  }
}

/**
 * Undefined for an empty body.
 *
 * @throws JsonBodyError when it is not JSON, exceeds a limit, has an attribute named `__proto__`, or contains text that is
 *   not valid Unicode or a number that would lose digits
 */
export function parseJsonBody(text: string, limits: JsonLimits = defaultLimits): unknown {
  if (text.trim() === '') return undefined
  const exceeded = exceededLimit(text, limits)
  if (exceeded !== undefined) throw limitError(exceeded, limits)
  const body = parseJson(text)
  checkContent(text, body)
  return body
}

/** Checks what JSON can express but the service does not accept, in a text and its value. */
function checkContent(text: string, value: unknown): void {
  rejectProto(text, value)
  rejectHalfSurrogates(text, value)
  rejectLongNumbers(text)
}

function rejectProto(text: string, body: unknown): void {
  // Only a name that contains this text, as it is or in escape sequences, can be `__proto__`.
  if (/proto__|\\u00[567]/.test(text) && hasProto(body)) {
    throw new JsonBodyError('The body has an attribute named "__proto__": remove it.')
  }
}

function rejectHalfSurrogates(text: string, body: unknown): void {
  if (surrogateEscape.test(text) && !hasWellFormedText(body)) {
    throw new JsonBodyError('The body contains half of a surrogate pair: send valid Unicode.', 'invalidValue')
  }
}

function rejectLongNumbers(text: string): void {
  if (longNumber.test(text)) requireExactNumbers(text)
}

/** Only escape sequences can stand for half of a surrogate pair: the body was decoded from UTF-8. */
const surrogateEscape = /\\ud[89a-f]/i

/** Whether all text in a parsed value is valid Unicode. The value is not nested deeply. */
function hasWellFormedText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(hasWellFormedText)
  return Object.entries(value).every(([name, part]) => name.isWellFormed() && hasWellFormedText(part))
}

/** Every number that may lose digits matches, and so do parts of ids. */
const longNumber = /[:,[\s-]\d{16}|^-?\d{16}|\d[Ee]\+?\d{3}/

/** @throws JsonBodyError for an integer beyond ±2^53, which JavaScript does not represent exactly, or an infinite number */
function requireExactNumbers(text: string): void {
  for (const number of numbersIn(text)) {
    if (isExact(number)) continue
    throw new JsonBodyError(
      'The body contains a number that is too large to keep exactly: send it as a string.',
      'invalidValue',
    )
  }
}

function isExact(literal: string): boolean {
  const value = Number(literal)
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !/^-?\d+$/.test(literal))
}

const byteOrderMark = Buffer.from('\ufeff')

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw notJson(error)
  }
}

function notJson(error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error
  return new JsonBodyError('The body is not valid JSON: check that it is complete and encoded as UTF-8.')
}

function limitError(exceeded: ExceededLimit, { depth, values, shapes, stringLength }: JsonLimits): JsonBodyError {
  switch (exceeded) {
    case 'depth':
      return new JsonBodyError(`The body is nested more than ${depth} levels deep.`)
    case 'values':
      return new JsonBodyError(`The body has more than ${values} values: send fewer in one request.`, 'too-large')
    case 'stringLength':
      return new JsonBodyError(
        `A string in the body has more than ${stringLength} bytes. If it is shorter in UTF-8, send it without escape sequences.`,
        'too-large',
      )
    case 'shapes':
      return new JsonBodyError(
        `The objects of the body have more than ${shapes} different attribute names or orders of names: use the same names in the same order, or send fewer objects in one request.`,
        'too-large',
      )
  }
}

/** Whether an object anywhere in a parsed value has an own property `__proto__`. The value is not nested deeply. */
function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasProto)
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto)
}
