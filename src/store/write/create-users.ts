import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import { unlimited } from '../../directory/removal-limit.ts'
import type { Recognizable } from '../../directory/returned-users.ts'
import { returnedFrom } from '../../directory/returned-users.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import { recognizedUser } from '../deleted-users.ts'
import type { UnnumberedEvent } from '../events.ts'
import { evaluatedTogether, mappedCreation } from '../mapped-users.ts'
import type { Decision, DirectBatch, NewUsers, WrittenDirectory } from './batch.ts'
import type { CreatedUser } from './effects/effect.ts'
import type { Facts } from './facts.ts'
import { noFacts } from './facts.ts'
import { applyUserEffects, numbered } from './user-effects.ts'
import { WriteCollection } from './writes.ts'

/** A user to create, and the event about it. */
export interface UserCreation {
  readonly user: Recognizable<IndexedUser>
  readonly event: UnnumberedEvent
  /** Arrival of the request, in Unix milliseconds. */
  readonly receivedAt: number
}

export type UserCreationOutcome = Committed | 'user-name-taken' | DirectoryChanged

/**
 * Creates users with their events. When several have the same name, the first one gets it. In a directory with a mapping, the users
 * that are too many to be evaluated in one commit are left out.
 */
export function createUsers(
  directory: WrittenDirectory,
  inputs: readonly UserCreation[],
): DirectBatch<readonly (UserCreationOutcome | undefined)[]> {
  const together = evaluatedTogether(directory, inputs, ({ user }) => user)
  const users = together.map(({ user }) => user)
  const recognized = users.filter(({ recognition }) => recognition !== undefined)
  const decide = (facts: Facts): Decision<readonly (UserCreationOutcome | undefined)[]> => {
    const created = creationsOf(directory, together, facts)
    const writes = new WriteCollection()
    applyUserEffects([...created.values()], { directory, facts }, writes)
    return {
      writes,
      answer: (lastSequence) =>
        inputs.map((input, index) => {
          if (index >= together.length) return undefined
          const change = created.get(input)
          return change ? { events: [numbered(change.event, change.n, lastSequence)] } : 'user-name-taken'
        }),
    }
  }
  return {
    directory,
    assumed: { assumption: { areNew: newUsers(directory, together) }, decide: () => decide(noFacts) },
    request: {
      userNames: users.map(({ userName }) => fold(userName)),
      removed: users.filter(({ active }) => active),
      returning: recognized,
      windows: true,
    },
    decide,
  }
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

/** The users that are created, each with the deleted one as which it returns, and with its roles. */
function creationsOf(
  { compiled }: WrittenDirectory,
  inputs: readonly UserCreation[],
  facts: Facts,
): Map<UserCreation, CreatedUser> {
  const taken = new Set(facts.userNames.keys())
  const returned = new Set<string>()
  const created = new Map<UserCreation, CreatedUser>()
  for (const input of inputs) {
    const name = fold(input.user.userName)
    if (taken.has(name)) continue
    taken.add(name)
    const earliest = input.user.recognition?.since ?? Number.MAX_SAFE_INTEGER
    const former = recognizedUser(facts.returning.get(input.user.id) ?? [], earliest, returned)
    if (former !== undefined) returned.add(former.id)
    const found = former === undefined ? input : returnedFrom(input.user, input.event, former)
    const { user, event, gained } = compiled
      ? mappedCreation(compiled, found.user, found.event)
      : { ...found, gained: [] }
    const n = created.size + 1
    created.set(input, {
      ...{ before: undefined, after: user, former: former?.id, n, event, position: { ofEvent: n } },
      ...{ receivedAt: input.receivedAt, gained, lost: [] },
    })
  }
  return created
}
