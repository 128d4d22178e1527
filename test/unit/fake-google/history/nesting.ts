import type { FakeGroup } from '../../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'

/** A group, and one that could be nested in it. */
export interface NestingPair {
  readonly outer: FakeGroup
  readonly inner: FakeGroup
}

/** The pairs of groups that can be nested: those that close a circle, or those that do not. */
export function nestingPairs(model: WorkspaceModel, closesCircle: boolean): NestingPair[] {
  const groups = model.groups()
  return groups.flatMap((inner) => {
    const below = groupsBelow(model, inner.id)
    const fit = groups.filter(({ id }) => id !== inner.id && below.has(id) === closesCircle)
    return fit.filter(({ id }) => !isMember(model, id, inner.id)).map((outer) => ({ outer, inner }))
  })
}

/** Whether a group has that direct member. */
export function isMember(model: WorkspaceModel, groupId: string, memberId: string): boolean {
  return model.members(groupId).some(({ id }) => id === memberId)
}

/** The groups that are nested in a group, however deeply. */
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
