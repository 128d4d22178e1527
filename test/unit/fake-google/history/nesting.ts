import type { FakeGroup } from '../../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'

/** A group and another one that could be nested in it. */
export interface NestingPair {
  readonly outer: FakeGroup
  readonly inner: FakeGroup
}

/** The possible nestings, either those that close a cycle or those that do not. */
export function nestingPairs(model: WorkspaceModel, closesCircle: boolean): NestingPair[] {
  const groups = model.groups()
  return groups.flatMap((inner) => {
    const below = groupsBelow(model, inner.id)
    const fit = groups.filter(({ id }) => id !== inner.id && below.has(id) === closesCircle)
    return fit.filter(({ id }) => !isMember(model, id, inner.id)).map((outer) => ({ outer, inner }))
  })
}

/** Whether a group has this direct member. */
export function isMember(model: WorkspaceModel, groupId: string, memberId: string): boolean {
  return model.members(groupId).some(({ id }) => id === memberId)
}

/** The direct and indirect nested groups of a group. */
function groupsBelow(model: WorkspaceModel, groupId: string): Set<string> {
  const found = new Set<string>()
  const waiting = [groupId]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const member of model.members(id)) {
      if (member.type !== 'GROUP' || found.has(member.id)) continue
      found.add(member.id)
      waiting.push(member.id)
    }
  }
  return found
}
