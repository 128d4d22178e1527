import type { IndexedUser, ReplacedUser } from '../../../directory/user.ts'
import { fold } from '../../../scim/fold.ts'
import { contentOf, indexedOf, userEmails, users } from '../../users.ts'
import { positionValue } from '../numbers.ts'
import type { Effect } from './effect.ts'

/** Writes the rows of users and of their email addresses, and counts the active users. */
export const writeUsers: Effect = {
  write(changes, _, writes) {
    for (const { before, after, position, columns } of changes) {
      if (after === undefined) {
        if (before !== undefined) writes.write('remove', users, { id: before.id })
      } else if (before !== undefined) {
        const set = {
          version: after.version,
          ...contentOf(after),
          ...(sameIndexed(before, after) ? {} : indexedOf(after)),
          ...columns,
        }
        writes.update(users, { id: before.id }, set, { version: before.version })
      } else if (position !== undefined) {
        const { id, createdAt, version, returnedFrom = null, accountId = null } = after
        const identity = { id, sequence: positionValue(position), version, created_at: createdAt }
        writes.write('insert', users, {
          ...identity,
          ...contentOf(after),
          ...indexedOf(after),
          returned_from: returnedFrom,
          account_id: accountId,
          ...columns,
        })
      }
      writes.state.activeUsers += Number(after?.active ?? false) - Number(before?.active ?? false)
      const [had, has] = [storedEmails(before), storedEmails(after)]
      const user_id = after?.id ?? before?.id ?? ''
      for (const email of had) if (!has.includes(email)) writes.write('remove', userEmails, { email, user_id })
      for (const email of has) if (!had.includes(email)) writes.write('keep', userEmails, { email, user_id })
    }
  },
}

function sameIndexed(before: ReplacedUser, after: IndexedUser): boolean {
  return before.userName === after.userName && before.externalId === after.externalId && before.active === after.active
}

const none: readonly string[] = []

/**
 * The email addresses that have a row: all but the one that is the userName, which is the only address of most users. Rows of
 * addresses are in no order, so that each costs a page of its own.
 */
function storedEmails(user: ReplacedUser | undefined): readonly string[] {
  if (user === undefined) return none
  const folded = fold(user.userName)
  return user.emails.filter((email) => email !== folded)
}
