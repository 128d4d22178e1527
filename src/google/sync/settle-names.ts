import type { StoredResource } from '../../directory/resource.ts'
import { resourceOf } from '../../directory/resource.ts'
import { listStart } from '../../directory/store.ts'
import { fold } from '../../scim/fold.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import type { GoogleUser } from '../client/items.ts'
import type { Context } from './context.ts'
import { keepUser, replace } from './keep-user.ts'

/** How many steps a chain of names that were passed on may take; the next run goes on where this one stops. */
const maxSteps = 200

/**
 * Keeps a user whose userName another stored user may still have from before. Google is asked about that one: it has
 * another name by now and is brought up to date first, and so on along the chain; or it is gone and gives the name up; or
 * it was right, and what we know of the user is old. One chain takes its turn after the other: two would move each
 * other's users.
 */
export function settleName(context: Context, user: GoogleUser): Promise<void> {
  const { provisioning, directoryId } = context
  return provisioning.inTurn(`${directoryId} userNames`, () => settleChain(context, user))
}

async function settleChain(context: Context, user: GoogleUser): Promise<void> {
  const { signal, directoryId, provisioning } = context
  const chain: GoogleUser[] = [user]
  for (let step = 0; step < maxSteps; step += 1) {
    signal.throwIfAborted()
    const last = chain.at(-1)
    if (last === undefined) return
    const stored = await provisioning.store.getUser(directoryId, last.id)
    const kept = await keepUser(context, last, stored)
    if (kept === 'user-name-taken') await makeWay(context, chain, last)
    else chain.pop()
  }
  for (const { id } of chain) context.leaveOut(id)
}

/** Makes the name of the chain's last user free, or takes the user from the chain; for a longer chain it takes more calls. */
async function makeWay(context: Context, chain: GoogleUser[], last: GoogleUser): Promise<void> {
  const holder = await holderOf(context, last.primaryEmail)
  if (holder === undefined || holder.id === last.id) return
  const now = await context.workspace.getUser(holder.id)
  if (now === undefined || !context.isInScope(now.primaryEmail)) return giveUpName(context, holder, false)
  context.seenUsers.add(now.id)
  if (fold(now.primaryEmail) === fold(last.primaryEmail)) return askAgain(context, chain, last)
  const place = chain.findIndex(({ id }) => id === now.id)
  if (place < 0) {
    chain.push(now)
    return
  }
  // Names went round in a circle: one of the users goes without for the moment.
  chain[place] = now
  await giveUpName(context, holder, true)
}

async function holderOf({ provisioning, directoryId }: Context, userName: string): Promise<StoredResource | undefined> {
  const part = { from: listStart, limit: 1 }
  const [found] = await provisioning.store.findUsers(directoryId, [{ attribute: 'userName', value: userName }], part)
  return found?.item
}

/** Gives a user its id as userName. One that is gone from Google becomes inactive with it, whatever holds its deletion. */
async function giveUpName(context: Context, { id, raw }: StoredResource, staysActive: boolean): Promise<void> {
  const resource = { ...resourceOf(fromJsonText(raw)), userName: id }
  await replace(context, id, staysActive ? resource : { ...resource, active: false })
}

/** The other user is right about the name: this one has another by now, or is gone, or Google contradicts itself. */
async function askAgain(context: Context, chain: GoogleUser[], last: GoogleUser): Promise<void> {
  const now = await context.workspace.getUser(last.id)
  if (now === undefined) {
    chain.pop()
  } else if (!context.isInScope(now.primaryEmail)) {
    chain.pop()
    context.leaveOut(now.id)
  } else if (fold(now.primaryEmail) !== fold(last.primaryEmail)) {
    chain.splice(-1, 1, now)
  } else {
    for (const { id } of chain.splice(0)) context.leaveOut(id)
  }
}
