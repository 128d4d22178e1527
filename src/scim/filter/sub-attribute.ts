import type { Attribute } from '../schema/attribute.ts'
import { unknownAttribute } from '../schema/attribute.ts'

/** The sub-attribute of that name, in any letter case; anything goes in an attribute that no schema describes. */
export function resolveSubAttribute(attribute: Attribute, name: string): Attribute | undefined {
  return attribute.type === 'any' ? unknownAttribute(name) : attribute.subAttributes.get(name.toLowerCase())
}
