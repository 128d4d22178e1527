import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { addressChanges } from './history/address-changes.ts'
import type { ChangeKind } from './history/change-kind.ts'
import { groupChanges } from './history/group-changes.ts'
import { memberChanges } from './history/member-changes.ts'
import { userChanges } from './history/user-changes.ts'
import type { Random } from './random.ts'

/** Every way in which a Workspace changes. */
export const changeKinds: readonly ChangeKind[] = [...userChanges, ...addressChanges, ...groupChanges, ...memberChanges]

/**
 * Changes a Workspace in one way, and says which: `suspend user: maya.falk@example.com (1061…)`. The same changes come
 * again when the seed and the Workspace at the start are the same. For small Workspaces: it looks at all of one.
 */
export function nextChange(model: WorkspaceModel, random: Random): string {
  let left = changeKinds
  for (let kind = random.pickByWeight(left); kind !== undefined; kind = random.pickByWeight(left)) {
    const what = kind.make(model, random)
    if (what !== undefined) return `${kind.name}: ${what}`
    left = left.filter((other) => other !== kind)
  }
  throw new Error('there is nothing that can change')
}

/** So many changes, one after the other, and a line for each. */
export function makeChanges(model: WorkspaceModel, random: Random, count: number): string[] {
  return Array.from({ length: count }, () => nextChange(model, random))
}
