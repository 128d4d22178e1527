import { maxIndexedLength } from '../../directory/limits.ts'
import type { StoredResource } from '../../directory/resource.ts'
import { ScimError } from '../../scim/errors.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import { parseResource } from '../../scim/resource/parse-resource.ts'
import type { ResourceType } from '../../scim/schema/resource-type.ts'

/** A resource as the SCIM parser of provisioning makes it of what Polis has kept. */
export interface ImportedResource<T> {
  readonly resource: JsonObject
  /** The stored record. */
  readonly made: T
  /** The attributes that the parser, or a limit, refuses: they are left out. */
  readonly refused: readonly string[]
}

/** How a resource is made of what Polis has kept. */
export interface ResourceForm<T> {
  readonly resourceType: ResourceType
  /** The required attribute, and its value if there is none that can be stored. */
  readonly required: { readonly name: string; readonly value: string }
  /** Makes what is stored; throws when a limit is exceeded. */
  readonly store: (resource: JsonObject) => T
}

/**
 * Parses what Polis has kept of a resource as a request that creates it would be parsed. Polis stores what it is sent
 * unchecked: attributes that such a request could not have are left out, one by one.
 */
export function importedResource<T>(raw: JsonObject, form: ResourceForm<T>): ImportedResource<T> {
  const { resourceType } = form
  const whole = attempt(() => parseResource(resourceType, withRequired(raw, form)))
  const refused: string[] = []
  const parsed = whole ?? parseResource(resourceType, withRequired(acceptable(raw, form, refused), form))
  return { ...storable(parsed, form, refused), refused }
}

function withRequired(raw: JsonObject, { required: { name, value } }: ResourceForm<unknown>): JsonObject {
  const given = Object.entries(raw).some(([key, text]) => isNamed(key, name) && isText(text))
  if (given) return raw
  const others = Object.entries(raw).filter(([key]) => !isNamed(key, name))
  return { ...Object.fromEntries(others), [name]: value }
}

function isNamed(key: string, name: string): boolean {
  return key.toLowerCase() === name.toLowerCase()
}

/** Returns whether the value can be that of a required attribute. */
function isText(value: Json): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
}

/** The attributes that can be parsed by themselves. */
function acceptable(raw: JsonObject, { resourceType, required }: ResourceForm<unknown>, refused: string[]): JsonObject {
  const kept = Object.entries(raw).filter(([key, value]) => {
    const base = isNamed(key, required.name) ? {} : { [required.name]: required.value }
    const isFine = attempt(() => parseResource(resourceType, { ...base, [key]: value })) !== undefined
    if (!isFine) refused.push(key)
    return isFine
  })
  return Object.fromEntries(kept)
}

/** The resource without the attributes that exceed a limit, the largest first if they do so together. */
function storable<T>(
  resource: JsonObject,
  form: ResourceForm<T>,
  refused: string[],
): Pick<ImportedResource<T>, 'resource' | 'made'> {
  const whole = attempt(() => form.store(resource))
  if (whole !== undefined) return { resource, made: whole }
  const { required } = form
  const { schemas = [], ...attributes } = resource
  const base = { schemas, [required.name]: required.value }
  const kept = Object.entries(attributes).filter(([key, value]) => {
    const isFine = attempt(() => form.store({ ...base, [key]: value })) !== undefined
    if (!isFine) refused.push(key)
    return isFine
  })
  kept.sort(([, a], [, b]) => JSON.stringify(a).length - JSON.stringify(b).length)
  for (;;) {
    const left = { ...base, ...Object.fromEntries(kept) }
    const made = kept.length === 0 ? form.store(left) : attempt(() => form.store(left))
    if (made !== undefined) return { resource: left, made }
    const largest = kept.findLastIndex(([key]) => key !== required.name)
    refused.push(...kept.splice(largest, 1).map(([key]) => key))
  }
}

/** A text that a required attribute can have; else another one. */
export function usableText(text: string, other: string): string {
  const isUsable = text.trim() !== '' && text.length <= maxIndexedLength && !/[\p{Cc}\p{Cs}]/u.test(text)
  return isUsable ? text : other
}

/** Undefined when the protocol, or a limit of resources, refuses it. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof ScimError) return undefined
    throw error
  }
}

/** The paths that Polis has kept and the resource does not have, such as `groups` or `name.middleName`. */
export function droppedPaths(raw: JsonObject, kept: JsonObject, prefix = ''): string[] {
  const names = new Map(Object.keys(kept).map((name) => [name.toLowerCase(), name]))
  return Object.keys(raw).flatMap((key) => {
    if (prefix === '' && implied.has(key.toLowerCase())) return []
    const [from, to] = [own(raw, key), own(kept, names.get(key.toLowerCase()) ?? '')]
    if (to === undefined) return isDotted(key, kept) ? [] : [`${prefix}${key}`]
    return isObject(from) && isObject(to) ? droppedPaths(from, to, `${prefix}${key}.`) : []
  })
}

/** These are stored in other places, or follow from the rest. */
const implied: ReadonlySet<string> = new Set(['id', 'schemas', 'members'])

/** Returns whether a key such as `name.givenName` has become a part of an attribute. */
function isDotted(key: string, kept: JsonObject): boolean {
  const [name = '', ...rest] = key.split('.')
  return rest.length > 0 && own(kept, name) !== undefined
}

/**
 * The stored form of a user or group.
 *
 * @param before what is stored; undefined if there is none
 */
export function storedForm<T extends StoredResource>(
  { made, createdAt }: { readonly made: T; readonly createdAt: number | undefined },
  before: Pick<StoredResource, 'version' | 'createdAt'> | undefined,
  at: number,
): T {
  const created = before?.createdAt ?? createdAt ?? at
  return { ...made, version: (before?.version ?? 0) + 1, createdAt: created, updatedAt: at }
}
