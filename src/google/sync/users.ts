import { chunks, each } from '../../concurrency/for-each.ts'
import type { GoogleUser } from '../client/items.ts'
import type { Context } from './context.ts'
import { inScope } from './in-scope.ts'
import { keepUser } from './keep-user.ts'
import { googlePages } from './pages.ts'
import { settleName } from './settle-names.ts'

/** So many changes share commits. */
const writesAtOnce = 64
const usersPerRead = 500

/** Brings the stored users in line with Google's list; nobody is deleted here. */
export async function reconcileUsers(context: Context): Promise<void> {
  const { workspace, signal, tally, seenUsers } = context
  tally.enter('users')
  for await (const users of googlePages((token) => workspace.listUsers(token), signal)) {
    tally.count('pages')
    await keepUsers(
      context,
      inScope(context, seenUsers, users, ({ primaryEmail }) => primaryEmail),
    )
  }
}

async function keepUsers(context: Context, users: readonly GoogleUser[]): Promise<void> {
  const { provisioning, directoryId, signal } = context
  for (const part of chunks(users, usersPerRead)) {
    const ids = part.map(({ id }) => id)
    const stored = await provisioning.store.getUsers(directoryId, ids)
    const taken: GoogleUser[] = []
    await each(part, writesAtOnce, signal, async (user) => {
      if ((await keepUser(context, user, stored.get(user.id))) === 'user-name-taken') taken.push(user)
    })
    for (const user of taken) await settleName(context, user)
  }
}
