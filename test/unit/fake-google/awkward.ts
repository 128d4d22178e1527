import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import { addAwkwardGroups } from './awkward-groups.ts'
import { addAwkwardUsers } from './awkward-users.ts'

/** The ids of what is awkward, by case. */
export interface AwkwardCases {
  readonly users: ReturnType<typeof addAwkwardUsers>
  readonly groups: ReturnType<typeof addAwkwardGroups>
}

/** A domain of the customer in which are few users, and one without any. */
export const secondDomain = 'subsidiary.example'
export const emptyDomain = 'nobody.example'

/**
 * Adds one of everything that a sync could get wrong. What comes and goes while lists are read is not among it: tests do
 * that themselves.
 */
export function addAwkwardCases(model: WorkspaceModel): AwkwardCases {
  const [domain = 'example.com'] = model.domains()
  model.addDomain(secondDomain)
  model.addDomain(emptyDomain)
  const users = addAwkwardUsers(model, domain, secondDomain)
  return { users, groups: addAwkwardGroups(model, domain, secondDomain, users) }
}
