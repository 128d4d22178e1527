import type { Attribute } from '../schema/attribute.ts'
import type { AttributePath } from '../schema/attribute-path.ts'
import { resolveAttributePath } from '../schema/attribute-path.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { isWellNamed } from './attribute-name.ts'
import { invalidFilter, quote } from './invalid-filter.ts'
import { resolveSubAttribute } from './sub-attribute.ts'
import type { Token } from './tokenize.ts'

/** What the names in a filter stand for. */
export interface Scope {
  /** Of what the attributes are, for messages. */
  readonly owner: string
  resolve(name: string): AttributePath | undefined
}

/** Names are attributes of a resource. */
export function resourceScope(resourceType: ResourceType): Scope {
  return { owner: resourceType.name, resolve: (name) => resolveAttributePath(name, resourceType) }
}

/** Names are sub-attributes of a complex attribute: the scope between brackets. */
export function valueScope(attribute: Attribute): Scope {
  return {
    owner: attribute.name,
    resolve(name) {
      const subAttribute = resolveSubAttribute(attribute, name)
      return subAttribute && { extension: undefined, attribute: subAttribute, subAttribute: undefined }
    },
  }
}

/**
 * The attribute that a word of a filter names.
 *
 * @throws ScimError `invalidFilter` when there is none, or it is never returned: filtering by it would give it away
 */
export function resolve(scope: Scope, { text, at }: Pick<Token, 'text' | 'at'>): AttributePath {
  const path = scope.resolve(text)
  const isKnown = path !== undefined && isWellNamed(path)
  if (!isKnown) throw invalidFilter(at, `${scope.owner} has no attribute ${quote(text)}`)
  const { attribute, subAttribute } = path
  if (attribute.returned === 'never' || subAttribute?.returned === 'never') {
    throw invalidFilter(at, `${attribute.name} cannot be filtered by`)
  }
  return path
}
