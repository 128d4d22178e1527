import type { FastifyInstance } from 'fastify'

const maxDepth = 64

/** A body that is not JSON, or not JSON that this service takes. */
export class JsonBodyError extends Error {
  override readonly name = 'JsonBodyError'
}

/**
 * Parses JSON bodies of these media types, whatever their parameters. An empty body is none: clients send a DELETE with a
 * media type and nothing behind it.
 */
export function acceptJson(app: FastifyInstance, mediaTypes: string[]): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(mediaTypes, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(String(body)))
    } catch (error) {
      done(error instanceof Error ? error : new JsonBodyError('The body is not JSON.'), undefined)
    }
  })
}

/**
 * Parses a body; undefined when it is empty.
 *
 * @throws JsonBodyError when it is not JSON, is nested too deeply, or would reach into prototypes
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  if (isTooDeep(text)) throw new JsonBodyError(`The body is nested more than ${maxDepth} levels deep.`)
  try {
    return mayHoldProto.test(text) ? JSON.parse(text, refuseProto) : JSON.parse(text)
  } catch (error) {
    if (error instanceof JsonBodyError) throw error
    throw new JsonBodyError('The body is not valid JSON: check that it was sent whole, as UTF-8.')
  }
}

/** The name as it is or, possibly, in escapes. */
const mayHoldProto = /__proto__|\\u/

function refuseProto(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new JsonBodyError('The body has an attribute named "__proto__": leave it out.')
  return value
}

/** Counts brackets, those in strings too: only a text that has that many of them anyway is looked at closely. */
function isTooDeep(text: string): boolean {
  let open = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x7b || code === 0x5b) open += 1
    if (open > maxDepth) return depthOf(text) > maxDepth
  }
  return false
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}
