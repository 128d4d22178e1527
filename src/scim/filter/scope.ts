import { invalidFilter, quote } from '../errors.ts'
import {
  hasValidNames,
  isAttributeName,
  isUrn,
  resolveAttributePath,
  resolveSubAttribute,
} from '../schema/attribute-path.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import { schemas } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { unknownAttribute } from '../schema/schema.ts'
import type { Token } from './tokenize.ts'

/** What the names in a filter stand for. */
export interface Scope {
  /** Of what the attributes are, for messages. */
  readonly owner: string
  find(name: string): AttributePath | undefined
  /** Whether a name that is not found stands for an attribute without a value; when not, it is refused. */
  acceptsUnknown(name: string): boolean
  /** The scope between the brackets behind a complex attribute: names are its sub-attributes. */
  within(attribute: Attribute): Scope
}

/** Names are attributes of a resource; others are refused. */
export function resourceScope(resourceType: ResourceType): Scope {
  return {
    owner: resourceType.name,
    find: (name) => resolveAttributePath(name, resourceType),
    acceptsUnknown: () => false,
    within: valueScope,
  }
}

/** Names are sub-attributes of a complex attribute; others are refused. */
export function valueScope(attribute: Attribute): Scope {
  return {
    owner: attribute.name,
    find(name) {
      const subAttribute = resolveSubAttribute(attribute, name)
      return subAttribute && { extension: undefined, attribute: subAttribute, subAttribute: undefined }
    },
    acceptsUnknown: () => false,
    within: valueScope,
  }
}

/** Names are attributes of a resource of any type: what one type lacks, another may have (RFC 7644 §3.4.2.1). */
export function crossTypeScope(resourceType: ResourceType): Scope {
  const anyValueScope = (attribute: Attribute): Scope => ({
    ...valueScope(attribute),
    acceptsUnknown: isAttributeName,
    within: anyValueScope,
  })
  const find = (name: string) => {
    const path = resolveAttributePath(name, resourceType)
    return path !== undefined && isOfOtherType(path, resourceType) ? undefined : path
  }
  return { owner: resourceType.name, find, acceptsUnknown: isWellFormed, within: anyValueScope }
}

/** Whether a path leads under the URN of a schema that is served, but for other resource types. */
function isOfOtherType({ extension }: AttributePath, { extensions }: ResourceType): boolean {
  const folded = extension?.toLowerCase()
  return schemas.some((schema) => schema.id.toLowerCase() === folded && !extensions.includes(schema))
}

/** Whether a name is in the grammar (RFC 7644 §3.4.2.2, `attrPath`). */
function isWellFormed(name: string): boolean {
  const names = name.slice(isUrn(name) ? name.lastIndexOf(':') + 1 : 0).split('.')
  return names.length <= 2 && names.every(isAttributeName)
}

/** The attribute that a word of a filter names. */
export interface NamedAttribute {
  readonly path: AttributePath
  /** Whether there is such an attribute: when not, the path is made of the word. */
  readonly isKnown: boolean
}

/**
 * Resolves a word of a filter.
 *
 * @throws ScimError `invalidFilter` when the scope refuses it, or the attribute is never returned: filtering by it would
 *   give it away
 */
export function resolveName(scope: Scope, { text, at }: Pick<Token, 'text' | 'at'>): NamedAttribute {
  const path = scope.find(text)
  if (path === undefined || !hasValidNames(path)) {
    if (scope.acceptsUnknown(text)) return { path: unknownPath(text), isKnown: false }
    throw invalidFilter(at, `${scope.owner} has no attribute ${quote(text)}`)
  }
  const { attribute, subAttribute } = path
  if (attribute.returned === 'never' || subAttribute?.returned === 'never') {
    throw invalidFilter(at, `${attribute.name} cannot be filtered by`)
  }
  return { path, isKnown: true }
}

function unknownPath(name: string): AttributePath {
  return { extension: undefined, attribute: unknownAttribute(name), subAttribute: undefined }
}
