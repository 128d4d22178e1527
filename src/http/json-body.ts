import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { maxResourceLength } from '../directory/limits.ts'
import type { Json, JsonProblem } from '../scim/json.ts'
import { findJsonProblem } from '../scim/json.ts'
import { BodyError, requireUtf8 } from './body-encoding.ts'
import type { JsonLimits } from './json-scan.ts'
import { findExceededLimit } from './json-scan.ts'

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
    rejectLargeJson(json, limits)
    await slices.next()
    const body = parseText(json.toString())
    await slices.next()
    rejectProblem(body)
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
  rejectLargeJson(json, limits)
  const body = parseText(json.toString())
  rejectProblem(body)
  return body
}

const byteOrderMark = Buffer.from('\ufeff')

function withoutByteOrderMark(content: Buffer): Buffer {
  return content.subarray(0, 3).equals(byteOrderMark) ? content.subarray(3) : content
}

function rejectLargeJson(json: Buffer, limits: JsonLimits): void {
  const exceeded = findExceededLimit(json, limits)
  if (exceeded === 'depth') throw new JsonBodyError(`The body is nested more than ${limits.depth} levels deep.`)
  if (exceeded !== undefined) throw new JsonBodyError(limitMessages[exceeded](limits[exceeded]), 'too-large')
}

function parseText(text: string): Json | undefined {
  if (text.length <= smallBody && text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonBodyError('The body is not valid JSON: check that it is complete.')
  }
}

function rejectProblem(body: Json | undefined): void {
  const problem = body === undefined ? undefined : findJsonProblem(body)
  if (problem !== undefined)
    throw new JsonBodyError(problemMessages[problem], problem === 'proto' ? 'invalidSyntax' : 'invalidValue')
}

const limitMessages = {
  values: (limit) => `The body has more than ${limit} values: send fewer in one request.`,
  stringLength: (limit) =>
    `A string in the body has more than ${limit} bytes. If it is shorter in UTF-8, send it without escape sequences.`,
  shapes: (limit) =>
    `The objects of the body have more than ${limit} different attribute names or orders of names: use the same names in the same order, or send fewer objects in one request.`,
} satisfies Record<Exclude<keyof JsonLimits, 'depth'>, (limit: number) => string>

const problemMessages = {
  proto: 'The body has an attribute named "__proto__": remove it.',
  'half-surrogate': 'The body contains half of a surrogate pair: send valid Unicode.',
  'inexact-number': 'The body contains a number that is too large to keep exactly: send it as a string.',
} satisfies Record<JsonProblem, string>
