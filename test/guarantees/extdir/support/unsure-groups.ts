import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'

/**
 * The groups that cannot be read completely because a nested group cannot be read; they may keep members that Google
 * does not report.
 */
export function unsureGroups(model: WorkspaceModel, refused: ReadonlySet<string>): string[] {
  const known = new Set(model.groups().map(({ id }) => id))
  const isUnsure = (id: string) => !known.has(id) || refused.has(id)
  return [...known].filter((id) => [...withNested(model, id)].some(isUnsure))
}

function withNested(model: WorkspaceModel, groupId: string): Set<string> {
  const found = new Set([groupId])
  // The set grows during the iteration.
  for (const id of found) for (const member of model.members(id)) if (member.type === 'GROUP') found.add(member.id)
  return found
}
