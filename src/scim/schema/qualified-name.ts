import type { Json } from '../json.ts'
import { isObject } from '../json.ts'
import { maxAttributeNameLength, maxPathLength } from '../limits.ts'
import type { ResourceType } from './resource-type.ts'
import type { AttributeTable } from './schema.ts'
import { isExtensionUrn } from './urn.ts'
import { enterpriseUserSchema } from './user.ts'

/** Other URNs that products use for the enterprise extension, in lower case. */
const enterpriseAliases: ReadonlySet<string> = new Set([
  'urn:scim:schemas:extension:enterprise:1.0',
  'urn:scim:schemas:extension:enterprise:2.0',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0user',
  'urn:ietf:params:scim:schemas:extension:enterprise:1.0:user',
  'urn:ietf:params:scim:schemas:extension:enterprise:1.0',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0',
])

/** A name that begins with the URN of a schema. */
export interface QualifiedName {
  /** The URN of an extension, canonical if it is known; undefined for the core schema. */
  readonly extension: string | undefined
  /** The attribute, possibly dotted; undefined when the text is the URN of the schema alone. */
  readonly name: string | undefined
}

/** The facts that decide how a name under an unknown URN is read. */
export interface UrnContext {
  /** The value that is sent under the name. */
  readonly value?: Json | undefined
  /** Returns whether an extension is known to exist, such as one that the resource has. */
  readonly holds?: (urn: string) => boolean
}

const ascii = /^[\x21-\x7e]+$/

/** A name in lower case, as schemas are searched for it; undefined for one that no schema has: theirs are short, and ASCII. */
export function schemaName(name: string): string | undefined {
  return name.length <= maxPathLength && ascii.test(name) ? name.toLowerCase() : undefined
}

/** The URN under which an extension is stored: known ones in canonical spelling, others unchanged. */
function canonicalUrn(urn: string, { extensions }: ResourceType): string {
  const folded = schemaName(urn)
  if (folded === undefined) return urn
  const known = extensions.find(({ id }) => id.toLowerCase() === folded)
  if (known !== undefined) return known.id
  if (enterpriseAliases.has(folded) && extensions.includes(enterpriseUserSchema)) return enterpriseUserSchema.id
  return urn
}

/** The attributes of an extension by its canonical URN; undefined for an unknown extension. */
export function extensionAttributes(urn: string, { extensions }: ResourceType): AttributeTable | undefined {
  return extensions.find(({ id }) => id === urn)?.attributes
}

const attributeName = /^[a-z$][a-z0-9$_-]*$/i

/**
 * Returns whether a name is allowed for an attribute (RFC 7643 §2.1), including `$ref`, and short enough. Needed for names
 * without a schema.
 */
export function isAttributeName(name: string): boolean {
  return name.length <= maxAttributeNameLength && attributeName.test(name)
}

/**
 * Splits a name after the URN of its schema, which itself contains colons and dots; a dot after the URN is read as a
 * colon. For an unknown URN, an extension that exists decides where it ends, else its form and the type of the value. In the
 * strict profile, it is unknown as a whole.
 */
export function readQualifiedName(text: string, resourceType: ResourceType, context: UrnContext = {}): QualifiedName {
  const known = knownQualifiedName(text, resourceType)
  if (known !== undefined) return known
  if (resourceType.profile === 'strict') return { extension: text, name: undefined }
  const end = endOfHeldUrn(text, context.holds) ?? endOfUnknownUrn(text, context.value)
  if (end === text.length) return { extension: text, name: undefined }
  return { extension: text.slice(0, end), name: text.slice(end + 1) }
}

/** The same for the URN of a known schema; undefined for any other. In the strict profile, a URN has one name, and a colon after it. */
function knownQualifiedName(text: string, resourceType: ResourceType): QualifiedName | undefined {
  if (text.length > maxPathLength) return undefined
  const folded = text.toLowerCase()
  const core = resourceType.schema.id.toLowerCase()
  let longest = ''
  const isStrict = resourceType.profile === 'strict'
  const aliases = isStrict ? [] : enterpriseAliases
  for (const urn of [core, ...resourceType.extensions.map(({ id }) => id.toLowerCase()), ...aliases]) {
    if (urn.length > longest.length && folded.startsWith(urn) && isEnd(folded, urn.length, isStrict)) longest = urn
  }
  if (longest === '') return undefined
  const name = text.length === longest.length ? undefined : text.slice(longest.length + 1)
  if (longest === core) return { extension: undefined, name }
  const extension = canonicalUrn(longest, resourceType)
  return extensionAttributes(extension, resourceType) === undefined ? undefined : { extension, name }
}

function isEnd(text: string, index: number, isStrict: boolean): boolean {
  return index === text.length || text[index] === ':' || (text[index] === '.' && !isStrict)
}

/** A URN is followed by an attribute and a sub-attribute at most. */
const separatorsAfterUrn = 2

/** The end of the longest URN in the text for which an extension exists; undefined if there is none. */
function endOfHeldUrn(text: string, holds: UrnContext['holds']): number | undefined {
  if (holds === undefined || text.length > maxPathLength) return undefined
  let end = text.length
  for (let tried = 0; tried <= separatorsAfterUrn && end > 0; tried += 1) {
    if (holds(text.slice(0, end))) return end
    end = Math.max(text.lastIndexOf(':', end - 1), text.lastIndexOf('.', end - 1))
  }
  return undefined
}

/**
 * Guesses the end of an unknown URN from its form: the names of schemas follow a version (`urn:acme:2.0:User`) or begin
 * with a capital letter (`urn:acme:hr:CustomUser`), unlike those of attributes. An object whose name may be either is an
 * extension.
 */
function endOfUnknownUrn(text: string, value: Json | undefined): number {
  const colon = text.lastIndexOf(':')
  const last = text.slice(colon + 1)
  const version = /^\d+(?:\.\d+)*/.exec(last)
  if (version !== null) return last[version[0].length] === '.' ? colon + 1 + version[0].length : text.length
  const previous = text.slice(text.lastIndexOf(':', colon - 1) + 1, colon)
  const isAfterVersion = /^\d/.test(previous)
  const isNamedAsSchema = isCapital(last) && !isCapital(previous)
  const names = last.split('.')
  if (names.length > 1 && names.every(isAttributeName)) {
    // An attribute has a sub-attribute at most.
    const isAfterDot = isAfterVersion || isNamedAsSchema || names.length > 2
    return isAfterDot ? colon + 1 + last.indexOf('.') : colon
  }
  if (!isExtensionUrn(text.slice(0, colon))) return text.length
  const isWhole =
    value === undefined || value === null
      ? isAfterVersion
      : isObject(value) && (isCapital(last) || !isCapital(previous))
  return isWhole ? text.length : colon
}

function isCapital(name: string): boolean {
  return /^[A-Z]/.test(name)
}
