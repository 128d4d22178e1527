import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import type { IndexedUser, ReplacedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { DirectBatch } from './batch.ts'
import type { ReplacedUserChange, WrittenDirectory } from './effects/effect.ts'
import type { Facts } from './facts.ts'
import { changeUsers } from './user-effects.ts'

/** A user before and after a change, and the event about it. */
export interface UserReplacement {
  readonly before: ReplacedUser
  readonly after: IndexedUser
  readonly event: UnnumberedEvent
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
}

export type UserReplacementOutcome = Committed | 'user-name-taken' | 'version-mismatch' | DirectoryChanged

/**
 * Replaces users with their events, where the stored version is that of `before`. Of several changes to one user, the first is made and
 * the others have a version mismatch. A change that gives a user a name which another change of the batch gives up or takes is left out.
 */
export function replaceUsers(
  directory: WrittenDirectory,
  inputs: readonly UserReplacement[],
): DirectBatch<readonly (UserReplacementOutcome | undefined)[]> {
  return changeUsers<UserReplacement, Rejection>(directory, inputs, {
    plan: ({ before, after }) => ({ before, after }),
    request: (together) => ({
      users: together.map(({ before }) => before.id),
      userNames: together.filter(isRenamed).map(({ after }) => fold(after.userName)),
    }),
    decide: replacementsOf,
  })
}

function isRenamed({ before, after }: UserReplacement): boolean {
  return fold(before.userName) !== fold(after.userName)
}

type Rejection = 'user-name-taken' | 'version-mismatch'

function replacementsOf(
  inputs: readonly UserReplacement[],
  facts: Facts,
): ReadonlyMap<UserReplacement, ReplacedUserChange | Rejection> {
  const outcomes = new Map<UserReplacement, ReplacedUserChange | Rejection>()
  const replaced = new Set<string>()
  const touchedNames = new Set<string>()
  let n = 0
  for (const input of inputs) {
    const { before, after, event, receivedAt } = input
    const state = facts.users.get(before.id)
    const isAtVersion = facts.state === undefined || state?.version === before.version
    if (!isAtVersion || replaced.has(before.id)) {
      outcomes.set(input, 'version-mismatch')
      continue
    }
    const [name, former] = [fold(after.userName), fold(before.userName)]
    if (name !== former) {
      if (touchedNames.has(name)) continue
      if ((facts.userNames.get(name) ?? after.id) !== after.id) {
        outcomes.set(input, 'user-name-taken')
        continue
      }
      touchedNames.add(name).add(former)
    }
    replaced.add(before.id)
    n += 1
    outcomes.set(input, { before, after, event, n, receivedAt, position: state && { stored: state.position } })
  }
  return outcomes
}
