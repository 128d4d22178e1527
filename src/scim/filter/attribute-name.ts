import type { AttributePath } from '../schema/known-paths.ts'

const attributeName = /^[a-z$][a-z0-9$_-]*$/i

/** Whether a name may be an attribute's (RFC 7643 §2.1), `$ref` included: the test for names that no schema lists. */
export function isAttributeName(name: string): boolean {
  return attributeName.test(name)
}

/** `isAttributeName` for both names of a path: one into an unknown extension resolves whatever its names are. */
export function isWellNamed({ attribute, subAttribute }: AttributePath): boolean {
  if (attribute.type !== 'any' && subAttribute?.type !== 'any') return true
  return isAttributeName(attribute.name) && (subAttribute === undefined || isAttributeName(subAttribute.name))
}
