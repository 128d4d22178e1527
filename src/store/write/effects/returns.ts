import { deletedUsers } from '../tables.ts'
import type { Effect } from './effect.ts'

/** Keeps the digests of the names of deleted users, by which they are recognized when they return, and forgets those of who returned. */
export const recognizeReturns: Effect = {
  write(changes, _, writes) {
    for (const change of changes) {
      if (change.before === undefined && change.former !== undefined) {
        writes.write('remove', deletedUsers, { user_id: change.former })
      }
      if (change.after !== undefined || change.before.recognition === undefined) continue
      const { id, recognition } = change.before
      const { userName, externalId = null } = recognition.digests()
      writes.write('put', deletedUsers, {
        ...{ user_id: id, user_name_digest: userName, external_id_digest: externalId },
        deleted_at: change.event.createdAt,
      })
    }
  },
}
