import { groupSchema } from '../schema/group.ts'
import type { AttributePath } from '../schema/known-paths.ts'

const members = groupSchema.attributes.get('members')

/** Whether a path leads to a group's members, or into them. */
export function isMembers({ extension, attribute }: AttributePath): boolean {
  return extension === undefined && attribute === members
}
