import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import { unlimited } from '../../directory/removal-limit.ts'
import type { Recognizable } from '../../directory/returned-users.ts'
import { returnedFrom } from '../../directory/returned-users.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { recognizedUser } from '../deleted-users.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { DirectBatch, NewUsers } from './batch.ts'
import type { CreatedUser, WrittenDirectory } from './effects/effect.ts'
import type { Facts } from './facts.ts'
import { changeUsers } from './user-effects.ts'

/** A user to create, and the event about it. */
export interface UserCreation {
  readonly user: Recognizable<IndexedUser>
  readonly event: UnnumberedEvent
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
}

export type UserCreationOutcome = Committed | 'user-name-taken' | DirectoryChanged

/** Creates users with their events. When several have the same name, the first one gets it. */
export function createUsers(
  directory: WrittenDirectory,
  inputs: readonly UserCreation[],
): DirectBatch<readonly (UserCreationOutcome | undefined)[]> {
  return changeUsers<UserCreation, 'user-name-taken'>(directory, inputs, {
    plan: ({ user }) => ({ before: undefined, after: user }),
    request: (together) => ({
      userNames: together.map(({ user }) => fold(user.userName)),
      returning: together.map(({ user }) => user).filter(({ recognition }) => recognition !== undefined),
    }),
    assumption: (together) => ({ areNew: newUsers(directory, together) }),
    decide: creationsOf,
  })
}

/** The users as new ones: only those who left within the window of the removal limit, or of recognition, are not. */
function newUsers({ removalLimit }: WrittenDirectory, inputs: readonly UserCreation[]): NewUsers {
  const at = Math.min(...inputs.map(({ event }) => event.createdAt))
  const deactivatedSince = at - (removalLimit ?? unlimited).windowSeconds * 1000
  const recognized = inputs.map(({ user: { recognition } }) => recognition?.since ?? deactivatedSince)
  return {
    users: inputs.map(({ user }) => user),
    deletedSince: Math.min(deactivatedSince, ...recognized),
    deactivatedSince,
  }
}

/** The users that are created, each with the deleted one as which it returns. */
function creationsOf(
  inputs: readonly UserCreation[],
  facts: Facts,
): ReadonlyMap<UserCreation, CreatedUser | 'user-name-taken'> {
  const taken = new Set(facts.userNames.keys())
  const returned = new Set<string>()
  const linked = new Set<string>()
  const outcomes = new Map<UserCreation, CreatedUser | 'user-name-taken'>()
  let n = 0
  for (const input of inputs) {
    const name = fold(input.user.userName)
    if (taken.has(name)) {
      outcomes.set(input, 'user-name-taken')
      continue
    }
    taken.add(name)
    const earliest = input.user.recognition?.since ?? Number.MAX_SAFE_INTEGER
    const former = recognizedUser(facts.returning.get(input.user.id) ?? [], earliest, returned)
    const isAccountTaken = former !== undefined && (former.isAccountTaken || linked.has(former.accountId ?? ''))
    const { user, event } =
      former === undefined ? input : returnedFrom(input.user, input.event, { ...former, isAccountTaken })
    if (former !== undefined) returned.add(former.id)
    if (user.accountId !== undefined) linked.add(user.accountId)
    n += 1
    outcomes.set(input, {
      ...{ before: undefined, after: user, former, n, event, position: { ofEvent: n } },
      receivedAt: input.receivedAt,
    })
  }
  return outcomes
}
