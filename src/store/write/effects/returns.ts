import { withAccountId } from '../../../directory/user.ts'
import { deletedUsers } from '../tables.ts'
import type { Effect } from './effect.ts'

/**
 * Keeps what is known of deleted users: the digests of their names, by which they are recognized when they return, and their accounts.
 * Of those who returned only the account is kept: it is read with their earlier events.
 */
export const recognizeReturns: Effect = {
  /** The account may have been linked after the user was read, and soon nothing else knows it. */
  complete(change, facts) {
    const { before, after, event } = change
    const stored = before && facts.users.get(before.id)
    if (after !== undefined || stored === undefined) return change
    return { ...change, event: { ...event, data: withAccountId(event.data, stored.accountId) } }
  },
  write(changes, { facts }, writes) {
    for (const change of changes) {
      if (change.before === undefined && change.former !== undefined) {
        const { id: user_id, accountId } = change.former
        if (accountId === undefined) writes.write('remove', deletedUsers, { user_id })
        else writes.update(deletedUsers, { user_id }, { user_name_digest: '', external_id_digest: null })
      }
      if (change.after !== undefined || change.before.recognition === undefined) continue
      const { id, recognition } = change.before
      const { userName, externalId = null } = recognition.digests()
      writes.write('put', deletedUsers, {
        ...{ user_id: id, user_name_digest: userName, external_id_digest: externalId },
        ...{ deleted_at: change.event.createdAt, account_id: facts.users.get(id)?.accountId ?? null },
      })
    }
  },
}
