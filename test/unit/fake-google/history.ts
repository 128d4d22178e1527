import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { addressChanges } from './history/address-changes.ts'
import type { ChangeKind } from './history/change-kind.ts'
import { groupChanges } from './history/group-changes.ts'
import { memberChanges } from './history/member-changes.ts'
import { userChanges } from './history/user-changes.ts'
import type { Random } from './random.ts'

/** All kinds of changes. */
export const changeKinds: readonly ChangeKind[] = [...userChanges, ...addressChanges, ...groupChanges, ...memberChanges]

/**
 * Makes a random change and describes it: `suspend user: maya.falk@example.com (1061…)`. The same seed and initial
 * Workspace give the same changes. Scans the whole Workspace, so it is meant for small ones.
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

/** Makes several changes; returns a description of each. */
export function makeChanges(model: WorkspaceModel, random: Random, count: number): string[] {
  return Array.from({ length: count }, () => nextChange(model, random))
}
