import type { Recognizable } from '../../directory/returned-users.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Batch } from './batch.ts'
import type { DeletionOutcome, Leaving } from './deletions.ts'
import { decideDeletions, leaveInStages } from './deletions.ts'
import type { DeletedUserChange, WrittenDirectory } from './effects/effect.ts'
import { requestOfAll } from './facts.ts'
import { applyUserEffects, requestsOfEffects } from './user-effects.ts'
import { WriteCollection } from './writes.ts'

/** A user to delete, and the event about it. */
export interface UserDeletion {
  readonly user: Recognizable<IndexedUser>
  readonly event: UnnumberedEvent
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
}

/** Deletes users with their events; they leave their groups. Memberships that end with them do not count as removals. */
export function deleteUsers(
  directory: WrittenDirectory,
  inputs: readonly UserDeletion[],
  leaving: Leaving = 'at-once',
): Batch<readonly (DeletionOutcome | undefined)[]> {
  const users = inputs.map(({ user }) => user)
  const ids = [...new Set(users.map(({ id }) => id))]
  const planned = users.map((before) => ({ before, after: undefined }))
  return {
    directory,
    request: requestOfAll([
      { users: ids, leaving: leaving === 'later' ? [] : ids },
      ...requestsOfEffects(planned, directory),
    ]),
    decide(facts) {
      const { made, deletedAt, outcomes } = decideDeletions(inputs, ({ user }) => user, facts.users, facts, leaving)
      const changes = made.map(({ input: { user, event, receivedAt }, n, stored }): DeletedUserChange => {
        return { before: user, after: undefined, n, event, receivedAt, position: { stored: stored.position } }
      })
      const writes = new WriteCollection()
      applyUserEffects(changes, { directory, facts }, writes)
      return leaveInStages(deletedAt, facts, writes, { answer: () => outcomes })
    },
  }
}
