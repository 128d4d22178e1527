import type { Committed, Listed, ListPart } from '../../directory/store.ts'
import { deleteGroup } from '../../provisioning/groups.ts'
import { deleteUser } from '../../provisioning/users.ts'
import type { GoogleGroup } from '../client/items.ts'
import type { HeldKind } from '../store.ts'
import type { Context } from './context.ts'
import { keepGroup } from './keep-group.ts'
import { isFailure } from './pages.ts'
import type { Seen } from './seen.ts'
import { settleName } from './settle-names.ts'

/** What deletions need to know of users, or of groups. */
export interface DeletionKind {
  readonly kind: HeldKind
  readonly seen: Seen
  list(part: ListPart): Promise<Listed<{ readonly id: string }>[]>
  /** Asks Google for one that its list has not shown; when it is there, it was missed, and is brought up to date. */
  isGone(id: string): Promise<boolean>
  remove(id: string): Promise<Committed>
}

export function usersToDelete(context: Context): DeletionKind {
  const { provisioning, directoryId, workspace, seenUsers, write, cause } = context
  return {
    kind: 'user',
    seen: seenUsers,
    list: (part) => provisioning.store.listUsers(directoryId, part),
    async isGone(id) {
      const user = await workspace.getUser(id)
      if (user === undefined || !context.isInScope(user.primaryEmail)) return true
      seenUsers.add(id)
      await settleName(context, user)
      return false
    },
    remove: (id) => write((directory) => deleteUser(provisioning, { directory, cause: cause() }, { id })),
  }
}

export function groupsToDelete(context: Context): DeletionKind {
  const { provisioning, directoryId, seenGroups, write, cause } = context
  return {
    kind: 'group',
    seen: seenGroups,
    list: (part) => provisioning.store.listGroups(directoryId, part),
    async isGone(id) {
      const group = await groupOrForbidden(context, id)
      if (group === 'forbidden') {
        context.leaveOut(id)
        return false
      }
      if (group === undefined || !context.isInScope(group.email)) return true
      seenGroups.add(id)
      await keepGroup(context, group, await provisioning.store.getGroup(directoryId, id))
      return false
    },
    remove: (id) => write((directory) => deleteGroup(provisioning, { directory, cause: cause() }, { id })),
  }
}

/** Google may refuse a single group: it is there then, and nothing more is known of it. */
async function groupOrForbidden({ workspace }: Context, id: string): Promise<GoogleGroup | undefined | 'forbidden'> {
  try {
    return await workspace.getGroup(id)
  } catch (error) {
    if (isFailure(error, 'forbidden')) return 'forbidden'
    throw error
  }
}
