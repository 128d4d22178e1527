import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import type { Recognizable } from '../../directory/returned-users.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { UnnumberedEvent } from '../events.ts'
import { rolesOf } from '../mapped-users.ts'
import type { DirectBatch, WrittenDirectory } from './batch.ts'
import type { DeletedUserChange } from './effects/effect.ts'
import { leaveGroups } from './effects/memberships.ts'
import type { Facts } from './facts.ts'
import { maxLeaving } from './facts.ts'
import { applyUserEffects, numbered } from './user-effects.ts'
import { WriteCollection } from './writes.ts'

/** A user to delete, and the event about it. */
export interface UserDeletion {
  readonly user: Recognizable<IndexedUser>
  readonly event: UnnumberedEvent
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
}

export interface DeletionOptions {
  /** Whether their memberships have been ended before. */
  readonly haveLeft?: boolean
}

export type DeletionOutcome = Committed | 'version-mismatch' | DirectoryChanged

/**
 * Deletes users with their events; they leave their groups. Memberships that end with them do not count as removals. Of several
 * deletions of one user, the first is made and the others have a version mismatch. Users in more than `maxLeaving` groups are left out.
 */
export function deleteUsers(
  directory: WrittenDirectory,
  inputs: readonly UserDeletion[],
  { haveLeft = false }: DeletionOptions = {},
): DirectBatch<readonly (DeletionOutcome | undefined)[]> {
  const users = inputs.map(({ user }) => user)
  const ids = [...new Set(users.map(({ id }) => id))]
  const isMapped = directory.compiled !== undefined
  return {
    directory,
    request: { users: ids, leaving: haveLeft ? [] : ids, removed: users, windows: true, roleCounts: isMapped },
    decide(facts) {
      const outcomes = deletionsOf(inputs, facts)
      const changes = [...outcomes.values()].filter((outcome) => typeof outcome === 'object')
      const writes = new WriteCollection()
      applyUserEffects(changes, { directory, facts }, writes)
      leaveGroups(new Map(changes.map(({ before, event }) => [before.id, event.createdAt])), facts, writes)
      return {
        writes,
        answer: (lastSequence) =>
          inputs.map((input) => {
            const outcome = outcomes.get(input)
            return typeof outcome === 'object'
              ? { events: [numbered(outcome.event, outcome.n, lastSequence)] }
              : outcome
          }),
      }
    },
  }
}

function deletionsOf(
  inputs: readonly UserDeletion[],
  { users, leaving }: Facts,
): Map<UserDeletion, DeletedUserChange | 'version-mismatch'> {
  const outcomes = new Map<UserDeletion, DeletedUserChange | 'version-mismatch'>()
  const deleted = new Set<string>()
  for (const input of inputs) {
    const { user, event, receivedAt } = input
    const state = users.get(user.id)
    if (state?.version !== user.version || deleted.has(user.id)) {
      outcomes.set(input, 'version-mismatch')
      continue
    }
    if (leaving.filter(({ memberId }) => memberId === user.id).length > maxLeaving) continue
    deleted.add(user.id)
    outcomes.set(input, {
      ...{ before: user, after: undefined, n: deleted.size, event, receivedAt },
      ...{ position: { stored: state.position }, gained: [], lost: rolesOf(state) },
    })
  }
  return outcomes
}
