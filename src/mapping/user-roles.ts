import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { GroupReference } from '../directory/group.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { mappingInEffect } from './compiled.ts'
import type { RoleReason } from './evaluate.ts'
import { createEvaluator } from './evaluate.ts'
import type { MappingStore } from './mapping-store.ts'
import type { ReasonView } from './reasons.ts'
import { reasonViews } from './reasons.ts'

export interface UserRolesParts {
  readonly store: Pick<MappingStore, 'getMapping'> & Pick<DirectoryReads, 'getUser' | 'listGroupsOfUser'>
  readonly directories: { get(id: string): Promise<Directory> }
  /** The time slices of the process: parsing a mapping takes one. */
  readonly slices: TimeSlices
}

/** The roles of a user, and those that rules deny, each with its rules. */
export interface UserRolesView {
  readonly roles: readonly RoleView[]
  readonly denied: readonly RoleView[]
}

export interface RoleView {
  readonly role: string
  /** No more than ten. */
  readonly because: readonly Omit<ReasonView, 'role'>[]
}

const groupsPerRead = 1_000

export type UserRoles = ReturnType<typeof createUserRoles>

/** Says why users have their roles. */
export function createUserRoles({ store, directories, slices }: UserRolesParts) {
  return {
    /**
     * The roles of a user by the mapping in effect; none without a mapping.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found`
     */
    async rolesOf(directoryId: string, userId: string): Promise<UserRolesView> {
      const { id, tenant } = await directories.get(directoryId)
      const [user, mapping] = await Promise.all([store.getUser(id, userId), store.getMapping({ directoryId: id })])
      if (user === undefined) throw new DirectoryError('resource-not-found', 'There is no user with this id.')
      if (mapping?.document === undefined) return { roles: [], denied: [] }
      const { document, extended } = mapping
      await slices.next(tenant)
      const { explain } = createEvaluator(mappingInEffect({ document, extended }))
      const groups = await allGroups(store, id, userId)
      const { roles, denied } = explain({ resource: fromJsonText(user.raw), active: user.active, groups })
      return { roles: roles.map(roleView), denied: denied.map(roleView) }
    },
  }
}

async function allGroups(
  store: UserRolesParts['store'],
  directoryId: string,
  userId: string,
): Promise<readonly GroupReference[]> {
  const groups: GroupReference[] = []
  for (;;) {
    const part = await store.listGroupsOfUser(directoryId, userId, groups.at(-1)?.id ?? '', groupsPerRead)
    groups.push(...part)
    if (part.length < groupsPerRead) return groups
  }
}

function roleView(reason: RoleReason): RoleView {
  return { role: reason.role, because: reasonViews(reason).map(({ role: _, ...because }) => because) }
}
