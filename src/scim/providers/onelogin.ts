import type { Op, PatchPath } from '../patch/operation.ts'
import { isMembers } from '../patch/operation.ts'

/**
 * Returns whether an operation adds the member in its path: `add` with `members[value eq "…"]`, reported to come without a
 * value. A strict directory rejects it.
 */
export function addsMemberOfPath(op: Op, path: PatchPath): boolean {
  if (op !== 'add' || path.kind !== 'attribute') return false
  return isMembers(path) && !path.attribute.isStrict && path.filter !== undefined && path.subAttribute === undefined
}
