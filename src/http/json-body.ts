import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { maxResourceLength } from '../directory/limits.ts'
import { BodyError, requireUtf8 } from './body-encoding.ts'
import type { JsonLimits, JsonProblem } from './json-scan.ts'
import { findJsonProblem } from './json-scan.ts'

/** The limits of a body, beside its size, which bound the time and the memory that parsing takes. */
const defaultLimits: JsonLimits = {
  depth: 64,
  values: 262_144,
  shapes: 10_000,
  // UTF-8 has up to three bytes per UTF-16 code unit.
  stringLength: 3 * maxResourceLength,
}

/** The limit of values grows with the size: a body may have one value per this many bytes of the largest body. */
const bytesPerValue = 20

/** A body that is not JSON, or JSON that the service rejects. */
export class JsonBodyError extends BodyError {
  override readonly name = 'JsonBodyError'

  constructor(message: string, problem: 'invalidSyntax' | 'invalidValue' | 'too-large' = 'invalidSyntax') {
    super(problem === 'too-large' ? 413 : 400, problem === 'too-large' ? undefined : problem, message)
  }
}

export interface JsonBodyOptions {
  /** The maximum size of a body, in bytes. */
  readonly bodyLimit: number
  /** The time slices in which large bodies are parsed. */
  readonly slices: TimeSlices
}

/** Bodies up to this many bytes are parsed at once. */
export const smallBody = 65_536

/**
 * Parses JSON bodies of these media types. An empty body is undefined, and so is that of an unknown URL, which gets a
 * 404. Large bodies are parsed one at a time, and other requests are served before and after each step.
 */
export function acceptJson(app: FastifyInstance, mediaTypes: string[], options?: JsonBodyOptions): void {
  const values = Math.max(defaultLimits.values, Math.floor((options?.bodyLimit ?? 0) / bytesPerValue))
  const limits = { ...defaultLimits, values }
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(mediaTypes, { parseAs: 'buffer' }, async (request: FastifyRequest, content: Buffer) => {
    if (request.is404) return undefined
    requireUtf8(request, content)
    const json = withoutByteOrderMark(content)
    if (json.length <= smallBody || options === undefined) return parseJsonBody(json, limits)
    const { slices } = options
    await slices.next()
    rejectProblem(json, limits)
    await slices.next()
    const text = json.toString()
    await slices.next()
    const body = parseText(text)
    await slices.next()
    return body
  })
}

/**
 * The value of a body; undefined for an empty one.
 *
 * @param json UTF-8
 * @throws JsonBodyError when it is not JSON, exceeds a limit, has an attribute named `__proto__`, or contains text that
 * is not valid Unicode or a number that would lose digits
 */
export function parseJsonBody(json: Buffer, limits: JsonLimits = defaultLimits): unknown {
  rejectProblem(json, limits)
  return parseText(json.toString())
}

const byteOrderMark = Buffer.from('\ufeff')

function withoutByteOrderMark(content: Buffer): Buffer {
  return content.subarray(0, 3).equals(byteOrderMark) ? content.subarray(3) : content
}

function rejectProblem(json: Buffer, limits: JsonLimits): void {
  const problem = findJsonProblem(json, limits)
  if (problem !== undefined) throw problemError(problem, limits)
}

function parseText(text: string): unknown {
  if (text.length <= smallBody && text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonBodyError('The body is not valid JSON: check that it is complete.')
  }
}

function problemError(problem: JsonProblem, { depth, values, shapes, stringLength }: JsonLimits): JsonBodyError {
  switch (problem) {
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
    case 'proto':
      return new JsonBodyError('The body has an attribute named "__proto__": remove it.')
    case 'half-surrogate':
      return new JsonBodyError('The body contains half of a surrogate pair: send valid Unicode.', 'invalidValue')
    case 'inexact-number':
      return new JsonBodyError(
        'The body contains a number that is too large to keep exactly: send it as a string.',
        'invalidValue',
      )
  }
}
