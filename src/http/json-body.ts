import type { FastifyInstance } from 'fastify'
import secureJson from 'secure-json-parse'

const maxDepth = 64

/** A body that is not JSON, or that the service does not accept as JSON. */
export class JsonBodyError extends Error {
  override readonly name = 'JsonBodyError'
}

/** Parses JSON bodies of these media types. An empty body is undefined: some clients send a media type with a DELETE. */
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
 * Undefined for an empty body.
 *
 * @throws JsonBodyError when it is not JSON, is nested too deeply or has an attribute named `__proto__`
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  if (isTooDeep(text)) throw new JsonBodyError(`The body is nested more than ${maxDepth} levels deep.`)
  try {
    return secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch {
    throw new JsonBodyError(
      isJson(text)
        ? 'The body has an attribute named "__proto__": remove it.'
        : 'The body is not valid JSON: check that it is complete and encoded as UTF-8.',
    )
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Counts opening brackets, also those in strings; only a text with too many of them is measured exactly. */
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
