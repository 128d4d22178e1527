import type { Attribute } from '../schema/attribute.ts'
import type { AttributePath } from '../schema/known-paths.ts'

/**
 * The attribute whose values a comparison looks at. A complex attribute named without a sub-attribute stands for its
 * `value`, as in `emails co "@example.com"` (RFC 7644 §3.4.2.2) and in `manager eq "id"` as Entra ID sends it.
 *
 * @returns undefined when a complex attribute has no `value`
 */
export function comparedAttribute(path: AttributePath): Attribute | undefined {
  const compared = valueAttribute(path)
  return compared.type === 'complex' ? undefined : compared
}

/** The same for a path that is known to lead to something that can be compared. */
export function valueAttribute({ attribute, subAttribute }: AttributePath): Attribute {
  return subAttribute ?? attribute.subAttributes.get('value') ?? attribute
}

/** The name of an attribute for messages: dotted, and led by its extension's URN when it has one. */
export function nameOf({ extension, attribute, subAttribute }: AttributePath): string {
  const dotted = subAttribute === undefined ? attribute.name : `${attribute.name}.${subAttribute.name}`
  return extension === undefined ? dotted : `${extension}:${dotted}`
}
