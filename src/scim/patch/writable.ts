import type { AttributePath } from '../schema/known-paths.ts'
import { isMembers } from './members-attribute.ts'

/** Whether writing an attribute is accepted and forgotten: a password is not kept, and `schemas` is worked out. */
export function isIgnored({ extension, attribute }: AttributePath): boolean {
  return attribute.mutability === 'writeOnly' || (extension === undefined && attribute.name === 'schemas')
}

/** Whether only the service provider sets an attribute. The `display` of a member counts as ignored, not as refused. */
export function isReadOnly(path: AttributePath): boolean {
  const { attribute, subAttribute } = path
  if (attribute.mutability === 'readOnly') return true
  return subAttribute?.mutability === 'readOnly' && !isMembers(path)
}
