import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import { forEachConcurrently } from '../../concurrency/for-each.ts'
import { isComplete } from '../../directory/abridged.ts'
import type { ListedUser } from '../../directory/directory-store.ts'
import { listStart } from '../../directory/list.ts'
import { resourceOf } from '../../directory/resource.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import { fold } from '../../scim/fold.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { storedManagerEmail, storedManagerId, withManager } from '../mapping/user.ts'
import type { SyncContext } from './context.ts'
import { storedPages } from './pages.ts'
import { replaceStoredUser } from './users.ts'

const maxConcurrentUsers = 32
const maxCachedAddresses = 10_000

/** The id of the user with an email address. */
type FindManager = (email: string) => Promise<string | undefined>

/**
 * Sets each user's manager to the id of the user with the manager's email address. Runs last, because any other change
 * may change that id, and checks all users each time, which also repairs the effects of a failed run.
 */
export async function syncManagers(context: SyncContext): Promise<void> {
  const { provisioning, directoryId, signal, tally } = context
  tally.enter('managers')
  const find = createFindManager(context)
  for await (const users of storedPages((part) => provisioning.store.listUsers(directoryId, part), signal)) {
    await forEachConcurrently(users.filter(mayHaveManager), maxConcurrentUsers, signal, (user) =>
      setManager(context, user, find),
    )
  }
}

/** A cheap check that avoids reading or parsing most users. */
function mayHaveManager({ raw }: ListedUser): boolean {
  return raw === undefined || raw.includes('"managerEmail"') || raw.includes('"manager"')
}

async function setManager(context: SyncContext, listed: ListedUser, find: FindManager): Promise<void> {
  const { id } = listed
  const user = isComplete(listed) ? listed : await context.provisioning.store.getUser(context.directoryId, id)
  if (user === undefined) return
  const stored = fromJsonText(user.raw)
  const email = storedManagerEmail(stored)
  const managerId = email === undefined ? undefined : await find(email)
  if (managerId !== storedManagerId(stored)) {
    await replaceStoredUser(context, id, resourceOf(withManager(stored, managerId)))
  }
}

/** Caches the lookups, because many users share a manager. */
function createFindManager({ provisioning, directoryId }: SyncContext): FindManager {
  const cache = createBoundedMap<Promise<string | undefined>>(maxCachedAddresses)

  async function first(equality: Equality): Promise<string | undefined> {
    const [found] = await provisioning.store.listUsers(directoryId, { where: [equality], from: listStart, limit: 1 })
    return found?.item.id
  }

  async function find(email: string): Promise<string | undefined> {
    return (
      (await first({ attribute: 'userName', value: email })) ?? (await first({ attribute: 'emails', value: email }))
    )
  }

  return (email) => {
    const address = fold(email)
    const cached = cache.get(address)
    if (cached !== undefined) return cached
    const found = find(email)
    cache.set(address, found)
    return found
  }
}
