import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { addAwkwardGroups } from './awkward-groups.ts'
import { addAwkwardUsers } from './awkward-users.ts'

/** The ids of the edge cases. */
export interface AwkwardCases {
  readonly users: ReturnType<typeof addAwkwardUsers>
  readonly groups: ReturnType<typeof addAwkwardGroups>
}

/** A domain with few users, and one without any. */
export const secondDomain = 'subsidiary.example'
export const emptyDomain = 'nobody.example'

/**
 * Adds every edge case that a sync could handle wrongly, except changes while lists are read, which tests make
 * themselves.
 */
export function addAwkwardCases(model: WorkspaceModel): AwkwardCases {
  const [domain = 'example.com'] = model.domains()
  model.addDomain(secondDomain)
  model.addDomain(emptyDomain)
  const users = addAwkwardUsers(model, domain, secondDomain)
  return { users, groups: addAwkwardGroups(model, domain, secondDomain, users) }
}
