import {
  polisGroup,
  polisGroupOf,
  polisGroups,
  polisMembers,
  polisUser,
  polisUserOf,
  polisUsers,
} from '../compat/resources.ts'
import type { ControllerParts } from './parts.ts'
import { listOf, notOffered, responseOf } from './response.ts'
import type { Group, GroupMembership, PaginationParams, Response, User } from './types.ts'

/** The tenant and the product that `setTenantAndProduct` has set. */
interface Scope {
  readonly tenant?: string | undefined
  readonly product?: string | undefined
}

type ListParams = PaginationParams & { directoryId?: string }

const byProvider = 'users and groups come from identity providers. Pass a SCIM request to requests.handle.'
const refused =
  (method: string) =>
  async (..._input: unknown[]): Promise<never> =>
    notOffered(method, byProvider)

/** `directorySyncController.users` */
export function usersController({ service }: ControllerParts, initial: Scope = {}) {
  let scope = initial
  return {
    /** Sets the scope of this controller, and returns one with that scope that later calls do not change. */
    setTenantAndProduct(tenant: string, product: string) {
      scope = { tenant, product }
      return usersController({ service } as ControllerParts, scope)
    },
    get: (id: string): Promise<Response<User>> =>
      responseOf(async () => (await polisUserOf(service, id, { ...scope })) as unknown as User, {
        404: 'User not found',
      }),
    getAll: (params: ListParams = {}): Promise<Response<User[]>> =>
      listOf<User>(() => polisUsers(service, { ...scope, ...params })),
    /** The users with a userName; Polis compares the e-mail address. */
    async search(userName: string, directoryId: string): Promise<Response<User[]>> {
      const found = await listOf<User>(() => service.reads.users({ directoryId, user_name: userName }))
      return found.error === null
        ? { data: found.data.map((user) => polisUser({ ...user }) as User), error: null }
        : found
    },
    create: refused('users.create'),
    update: refused('users.update'),
    delete: refused('users.delete'),
    deleteAll: refused('users.deleteAll'),
  }
}

/** `directorySyncController.groups` */
export function groupsController({ service }: ControllerParts, initial: Scope = {}) {
  let scope = initial
  return {
    setTenantAndProduct(tenant: string, product: string) {
      scope = { tenant, product }
      return groupsController({ service } as ControllerParts, scope)
    },
    get: (id: string): Promise<Response<Group>> =>
      responseOf(async () => (await polisGroupOf(service, id, { ...scope })) as unknown as Group, {
        404: `Group with id ${id} not found.`,
      }),
    getAll: (params: ListParams = {}): Promise<Response<Group[]>> =>
      listOf<Group>(() => polisGroups(service, { ...scope, ...params })),
    async search(displayName: string, directoryId: string): Promise<Response<Group[]>> {
      const found = await listOf<Group>(() => service.reads.groups({ directoryId, name: displayName }))
      return found.error === null
        ? { data: found.data.map((group) => polisGroup({ ...group }) as unknown as Group), error: null }
        : found
    },
    async getGroupMembers({
      groupId,
      ...page
    }: { groupId: string } & PaginationParams): Promise<Response<Pick<GroupMembership, 'user_id'>[]>> {
      const found = await listOf<Pick<GroupMembership, 'user_id'>>(() =>
        polisMembers(service, groupId, { ...scope, ...page }),
      )
      return found.error?.code === 404 ? { data: [], error: null } : found
    },
    async isUserInGroup(groupId: string, userId: string): Promise<boolean> {
      const { data } = await responseOf(() => polisUserOf(service, userId, { ...scope }))
      const groups: unknown = Object(data?.['raw']).groups
      return Array.isArray(groups) && groups.some((group) => Object(group).value === groupId)
    },
    create: refused('groups.create'),
    update: refused('groups.update'),
    delete: refused('groups.delete'),
    deleteAll: refused('groups.deleteAll'),
    addUserToGroup: refused('groups.addUserToGroup'),
    removeUserFromGroup: refused('groups.removeUserFromGroup'),
    removeAllUsers: refused('groups.removeAllUsers'),
  }
}
