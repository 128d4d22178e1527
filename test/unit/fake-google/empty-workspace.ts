import { emptyState } from '../../../tools/fake-google/model/state.ts'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { createWorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'

/** An empty Workspace without a server, whose clock stands still. */
export function emptyWorkspace(domains: readonly string[] = ['example.com', 'example.org']): WorkspaceModel {
  return createWorkspaceModel(emptyState('C0invent1', domains, () => Date.UTC(2026, 0, 5)))
}
