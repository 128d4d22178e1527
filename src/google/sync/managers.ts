import { each } from '../../concurrency/for-each.ts'
import { resourceOf } from '../../directory/resource.ts'
import { listStart } from '../../directory/store.ts'
import type { User } from '../../directory/user.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import { fold } from '../../scim/fold.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { managerIdOf, storedManagerEmail, withManager } from '../mapping/stored-manager.ts'
import type { Context } from './context.ts'
import { replace } from './keep-user.ts'
import { storedPages } from './pages.ts'

const usersAtOnce = 32
const maxKeptAddresses = 10_000

/** The id of the user with an e-mail address. */
type FindManager = (email: string) => Promise<string | undefined>

/**
 * Gives every user the id of the manager whose address Google has. After everything else: whom an address leads to depends
 * on all users that there are then. It looks at all of them each time, so that it heals what a run that failed has left.
 */
export async function reconcileManagers(context: Context): Promise<void> {
  const { provisioning, directoryId, signal, tally } = context
  tally.enter('managers')
  const find = createFindManager(context)
  for await (const users of storedPages((part) => provisioning.store.listUsers(directoryId, part), signal)) {
    await each(users.filter(mayHaveManager), usersAtOnce, signal, (user) => keepManager(context, user, find))
  }
}

/** Most users need not be looked into. */
function mayHaveManager({ raw }: User): boolean {
  return raw.includes('"managerEmail"') || raw.includes('"manager"')
}

async function keepManager(context: Context, { id, raw }: User, find: FindManager): Promise<void> {
  const stored = fromJsonText(raw)
  const email = storedManagerEmail(stored)
  const managerId = email === undefined ? undefined : await find(email)
  if (managerId !== managerIdOf(stored)) await replace(context, id, resourceOf(withManager(stored, managerId)))
}

/** Many have the same manager: whom an address has led to is kept, up to a bound. */
function createFindManager({ provisioning, directoryId }: Context): FindManager {
  const kept = new Map<string, Promise<string | undefined>>()

  async function first(equality: Equality): Promise<string | undefined> {
    const [found] = await provisioning.store.findUsers(directoryId, [equality], { from: listStart, limit: 1 })
    return found?.item.id
  }

  async function find(email: string): Promise<string | undefined> {
    return (
      (await first({ attribute: 'userName', value: email })) ?? (await first({ attribute: 'emails', value: email }))
    )
  }

  return (email) => {
    const address = fold(email)
    const known = kept.get(address)
    if (known !== undefined) return known
    if (kept.size >= maxKeptAddresses) kept.clear()
    const found = find(email)
    kept.set(address, found)
    return found
  }
}
