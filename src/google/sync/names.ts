import { isComplete } from '../../directory/abridged.ts'
import { listStart } from '../../directory/list.ts'
import type { StoredResource } from '../../directory/resource.ts'
import { resourceOf } from '../../directory/resource.ts'
import { fold } from '../../scim/fold.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import type { GoogleUser } from '../client/items.ts'
import type { SyncContext } from './context.ts'
import { replaceStoredUser, syncUser } from './users.ts'

/** The maximum number of steps per chain of conflicts; the next run continues. */
const maxSteps = 200

/**
 * Upserts a user whose userName may still belong to another stored user, because Google has reassigned it. If Google
 * has another name for that user now, that user is updated first, and so on along the chain; if that user no longer
 * exists, it loses the name; if it still has the name, our data about the first user is outdated. Chains are resolved
 * one at a time, because two would change each other's users.
 */
export function resolveNameConflict(context: SyncContext, user: GoogleUser): Promise<void> {
  const { provisioning, directoryId } = context
  return provisioning.mutex(`${directoryId} userNames`, () => resolveChain(context, user))
}

async function resolveChain(context: SyncContext, user: GoogleUser): Promise<void> {
  const { signal, directoryId, provisioning } = context
  const chain: GoogleUser[] = [user]
  for (let step = 0; step < maxSteps; step += 1) {
    signal.throwIfAborted()
    const last = chain.at(-1)
    if (last === undefined) return
    const stored = await provisioning.store.getUser(directoryId, last.id)
    const outcome = await syncUser(context, last, stored)
    if (outcome === 'user-name-taken') await freeName(context, chain, last)
    else chain.pop()
  }
  for (const { id } of chain) context.skip(id)
}

/** Frees the name of the chain's last user: extends the chain by the user who has it, or skips the last user. */
async function freeName(context: SyncContext, chain: GoogleUser[], last: GoogleUser): Promise<void> {
  const holder = await holderOf(context, last.primaryEmail)
  if (holder === undefined || holder.id === last.id) return
  const current = await context.workspace.getUser(holder.id)
  if (current === undefined || !context.isInDomain(current.primaryEmail)) return takeNameFrom(context, holder, false)
  if (context.scope.includes(current)) context.visitedUsers.add(current.id)
  if (fold(current.primaryEmail) === fold(last.primaryEmail)) return readAgain(context, chain, last)
  const index = chain.findIndex(({ id }) => id === current.id)
  if (index < 0) {
    chain.push(current)
    return
  }
  // The names were exchanged in a circle: one user temporarily has none.
  chain[index] = current
  await takeNameFrom(context, holder, true)
}

async function holderOf(
  { provisioning, directoryId }: SyncContext,
  userName: string,
): Promise<StoredResource | undefined> {
  const part = { from: listStart, limit: 1 }
  const where = [{ attribute: 'userName', value: userName }] as const
  const [found] = await provisioning.store.listUsers(directoryId, { ...part, where })
  return found && (isComplete(found.item) ? found.item : provisioning.store.getUser(directoryId, found.item.id))
}

/**
 * Sets the userName of a user to its id. A user who no longer exists in Google also becomes inactive, even if its
 * deletion is held.
 */
async function takeNameFrom(context: SyncContext, { id, raw }: StoredResource, staysActive: boolean): Promise<void> {
  const resource = { ...resourceOf(fromJsonText(raw)), userName: id }
  await replaceStoredUser(context, id, staysActive ? resource : { ...resource, active: false })
}

/**
 * Reads the last user again: it has another name by now, no longer exists, or Google contradicts itself and the chain
 * is skipped.
 */
async function readAgain(context: SyncContext, chain: GoogleUser[], last: GoogleUser): Promise<void> {
  const current = await context.workspace.getUser(last.id)
  if (current === undefined) {
    chain.pop()
  } else if (!context.isInDomain(current.primaryEmail)) {
    chain.pop()
    context.skip(current.id)
  } else if (fold(current.primaryEmail) !== fold(last.primaryEmail)) {
    chain.splice(-1, 1, current)
  } else {
    for (const { id } of chain.splice(0)) context.skip(id)
  }
}
