import { createPace } from '../../../../../src/google/client/pace.ts'
import type { WorkspaceOptions } from '../../../../../src/google/client/workspace.ts'
import { createWorkspace } from '../../../../../src/google/client/workspace.ts'
import { timeless } from './timeless.ts'

/** Creates a Workspace client whose delays take no time, and counts its requests. */
export function workspaceAt(apiUrl: string, options: Partial<WorkspaceOptions> = {}) {
  const counted = { requests: 0 }
  const time = timeless()
  const workspace = createWorkspace({
    apiUrl,
    domain: undefined,
    tokens: { token: async () => 'first-token', renewed: async () => 'second-token' },
    pace: createPace(time),
    signal: new AbortController().signal,
    onRequest: () => {
      counted.requests += 1
    },
    ...options,
  })
  return { workspace, counted, slept: time.slept }
}
