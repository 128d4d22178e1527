import { isDeprovisioning } from '../../../directory/behaviors.ts'
import { sequenceOf } from '../numbers.ts'
import { deprovisionings } from '../tables.ts'
import type { Effect } from './effect.ts'

/** Opens the deprovisionings of users who lose their access, until the events about it are delivered. */
export const openDeprovisionings: Effect = {
  write(changes, _, writes) {
    for (const { before, after, event, n, receivedAt } of changes) {
      const user = after ?? before
      if (user === undefined || !isDeprovisioning(event)) continue
      const row = { sequence: sequenceOf(n), user_id: user.id, subject: user.userName, received_at: receivedAt }
      writes.write('insert', deprovisionings, row)
    }
  },
}
