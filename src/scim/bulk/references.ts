import { endOfString } from '../filter/tokenize.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { isUrn } from '../schema/urn.ts'

const prefix = 'bulkId:'

/** The id that was created for a bulkId; undefined until then. */
export type ResolveId = (bulkId: string) => string | undefined

/** The parts of an operation that can contain references. */
export interface ReferenceSource {
  readonly method: string
  readonly data?: JsonObject | undefined
  /** The id in its path. */
  readonly id?: string
}

/** The bulkIds an operation refers to, in its path or anywhere in its data (RFC 7644 §3.7.2). */
export function findReferences({ method, data, id }: ReferenceSource): Set<string> {
  const found = new Set<string>()
  const note = (text: string): string => {
    const bulkId = bulkIdIn(text)
    if (bulkId !== undefined) found.add(bulkId)
    return text
  }
  if (id !== undefined) note(id)
  if (data === undefined) return found
  eachText(data, (text) => mapReferences(text, note))
  if (method === 'PATCH') mapPatchPaths(data, (path) => mapQuoted(path, note))
  return found
}

/**
 * A copy of an operation's data with references replaced by ids. An unresolved reference removes the element of a list,
 * else the whole attribute, that contains it.
 */
export function resolveReferences(method: string, data: JsonObject, idOf: ResolveId): JsonObject {
  if (method !== 'PATCH') return resolveAttributes(data, idOf)
  const inQuotes = (text: string) => resolveReference(text, idOf) ?? text
  return resolveAttributes(
    mapPatchPaths(data, (path) => mapQuoted(path, inQuotes)),
    idOf,
  )
}

/**
 * Resolves a text that may be a reference: other texts are returned unchanged; an unresolved reference returns
 * undefined.
 */
export function resolveReference(text: string, idOf: ResolveId): string | undefined {
  const bulkId = bulkIdIn(text)
  return bulkId === undefined ? text : idOf(bulkId)
}

/** Replaces a reference: the text itself, or those in a list that is written as JSON text. */
function mapReferences(text: string, replace: (text: string) => string | undefined): string | undefined {
  if (!/^\s*\[/.test(text) || !text.includes(prefix)) return replace(text)
  return mapQuoted(text, (quoted) => replace(quoted) ?? quoted)
}

function bulkIdIn(text: string): string | undefined {
  return text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : undefined
}

function eachText(value: Json, visit: (text: string) => unknown): void {
  if (typeof value === 'string') visit(value)
  else if (Array.isArray(value)) for (const element of value) eachText(element, visit)
  else if (isObject(value)) for (const name of Object.keys(value)) eachText(value[name] ?? null, visit)
}

/** The attributes of an extension are resolved one by one; the extension object as a whole is not an attribute. */
function resolveAttributes(object: JsonObject, idOf: ResolveId): JsonObject {
  const entries = Object.entries(object).map(([name, value]): Resolved => {
    const isExtension = isUrn(name) && isObject(value)
    return [name, isExtension ? resolveAttributes(value, idOf) : resolveValue(value, idOf)]
  })
  return Object.fromEntries(entries.filter(hasValue))
}

function resolveValue(value: Json, idOf: ResolveId): Json | undefined {
  if (typeof value === 'string') return mapReferences(value, (text) => resolveReference(text, idOf))
  if (Array.isArray(value)) {
    return value.map((element) => resolveValue(element, idOf)).filter((element) => element !== undefined)
  }
  return isObject(value) ? resolveObject(value, idOf) : value
}

/** Resolves an object completely or not at all: without one of its parts it would mean something else. */
function resolveObject(object: JsonObject, idOf: ResolveId): JsonObject | undefined {
  const entries = Object.entries(object).map(([name, value]): Resolved => [name, resolveValue(value, idOf)])
  return entries.every(hasValue) ? Object.fromEntries(entries) : undefined
}

type Resolved = readonly [name: string, value: Json | undefined]

function hasValue(entry: Resolved): entry is readonly [string, Json] {
  return entry[1] !== undefined
}

/** A copy of a PATCH body with the path of every operation replaced; names are case-insensitive. */
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
    return [name, name.length === folded.length && name.toLowerCase() === folded ? change(value) : value] as const
  })
  return Object.fromEntries(entries)
}

/** Replaces each JSON string in a path, such as the id in `members[value eq "…"]`. */
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

/** The parsed string; undefined if it is invalid, which parsing the path reports later. */
function unquoted(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}
