import { endOfString } from '../filter/tokenize.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'

/** The body of a PATCH with the path of each of its operations replaced; names are taken in any letter case. */
export function mapPatchPaths(body: JsonObject, replace: (path: string) => string): JsonObject {
  return mapNamed(body, 'operations', (operations) =>
    Array.isArray(operations) ? operations.map((operation) => mapPath(operation, replace)) : operations,
  )
}

function mapPath(operation: Json, replace: (path: string) => string): Json {
  if (!isObject(operation)) return operation
  return mapNamed(operation, 'path', (path) => (typeof path === 'string' ? replace(path) : path))
}

function mapNamed(object: JsonObject, folded: string, change: (value: Json) => Json): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => {
    return [name, name.toLowerCase() === folded ? change(value) : value] as const
  })
  return Object.fromEntries(entries)
}

/** A path with each JSON string in it, as in `members[value eq "…"]`, replaced by another. */
export function mapQuoted(path: string, replace: (text: string) => string): string {
  let mapped = ''
  let end = 0
  for (let start = path.indexOf('"'); start !== -1; start = path.indexOf('"', end)) {
    const next = endOfString(path, start)
    if (next === -1) break
    mapped += path.slice(end, start) + mapLiteral(path.slice(start, next), replace)
    end = next
  }
  return mapped + path.slice(end)
}

function mapLiteral(literal: string, replace: (text: string) => string): string {
  const text = unquoted(literal)
  const replacement = text === undefined ? undefined : replace(text)
  return replacement === undefined || replacement === text ? literal : JSON.stringify(replacement)
}

/** What is no JSON string is left for the reading of the path to refuse. */
function unquoted(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}
