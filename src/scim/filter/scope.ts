import { invalidFilter, quote } from '../errors.ts'
import { hasValidNames, isOfOtherType, resolveAttributePath, resolveSubAttribute } from '../schema/attribute-path.ts'
import { isAttributeName } from '../schema/qualified-name.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import { unknownAttribute } from '../schema/schema.ts'
import { isUrn } from '../schema/urn.ts'
import type { Token } from './tokenize.ts'

/** Resolves the names in a filter. */
export interface Scope {
  /** The name of the resource type or attribute, for messages. */
  readonly owner: string
  find(name: string): AttributePath | undefined
  /** Returns whether an unknown name is an attribute without a value; otherwise it is rejected. */
  acceptsUnknown(name: string): boolean
  /** The scope inside the brackets after a complex attribute. */
  within(attribute: Attribute): Scope
}

/** Names are attributes of a resource; unknown names are rejected. */
export function resourceScope(resourceType: ResourceType): Scope {
  return {
    owner: resourceType.name,
    find: (name) => resolveAttributePath(name, resourceType),
    acceptsUnknown: () => false,
    within: valueScope,
  }
}

/** Names are sub-attributes of a complex attribute; unknown names are rejected. */
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

/** Names are attributes of any resource type: one that this type lacks may exist in another (RFC 7644 §3.4.2.1). */
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

/** Returns whether a name matches the grammar of `attrPath` (RFC 7644 §3.4.2.2). */
function isWellFormed(name: string): boolean {
  const names = name.slice(isUrn(name) ? name.lastIndexOf(':') + 1 : 0).split('.')
  return names.length <= 2 && names.every(isAttributeName)
}

/** An attribute named in a filter. */
export interface ResolvedAttribute {
  readonly path: AttributePath
  /** False when no such attribute exists; the path then has an attribute made from the name. */
  readonly isKnown: boolean
}

/**
 * Resolves a name in a filter.
 *
 * @throws ScimError `invalidFilter` when the scope rejects it, or when the attribute is never returned: a filter would
 *   reveal its value
 */
export function resolveName(scope: Scope, { text, at }: Pick<Token, 'text' | 'at'>): ResolvedAttribute {
  const path = scope.find(text)
  if (path === undefined || !hasValidNames(path)) {
    if (scope.acceptsUnknown(text)) return { path: unknownPath(text), isKnown: false }
    throw invalidFilter(at, `${scope.owner} has no attribute ${quote(text)}`)
  }
  const { attribute, subAttribute } = path
  if (attribute.returned === 'never' || subAttribute?.returned === 'never') {
    throw invalidFilter(at, `${attribute.name} cannot be used in a filter`)
  }
  return { path, isKnown: true }
}

function unknownPath(name: string): AttributePath {
  return { extension: undefined, attribute: unknownAttribute(name), subAttribute: undefined }
}
