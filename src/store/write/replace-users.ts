import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import type { IndexedUser, ReplacedUser } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import type { UnnumberedEvent } from '../events.ts'
import { evaluatedTogether, mappedReplacement } from '../mapped-users.ts'
import type { Decision, DirectBatch, WrittenDirectory } from './batch.ts'
import type { ReplacedUserChange } from './effects/effect.ts'
import { changesTerms } from './effects/search-terms.ts'
import type { Facts } from './facts.ts'
import { noFacts } from './facts.ts'
import { applyUserEffects, numbered } from './user-effects.ts'
import { WriteCollection } from './writes.ts'

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
 * the others have a version mismatch. A change that gives a user a name which another change of the batch gives up or takes is left
 * out, and so are users that are too many to be evaluated in one commit.
 */
export function replaceUsers(
  directory: WrittenDirectory,
  inputs: readonly UserReplacement[],
): DirectBatch<readonly (UserReplacementOutcome | undefined)[]> {
  const together = evaluatedTogether(directory, inputs, ({ after }) => after)
  const { compiled } = directory
  const renamed = together.filter(isRenamed).map(({ after }) => fold(after.userName))
  const turned = together.filter(({ before, after }) => before.active !== after.active).map(({ after }) => after)
  const decide = (facts: Facts): Decision<readonly (UserReplacementOutcome | undefined)[]> => {
    const outcomes = replacementsOf(directory, together, facts)
    const changes = [...outcomes.values()].filter((outcome) => typeof outcome === 'object')
    const writes = new WriteCollection()
    applyUserEffects(changes, { directory, facts }, writes)
    return {
      writes,
      answer: (lastSequence) =>
        inputs.map((input) => {
          const outcome = outcomes.get(input)
          return typeof outcome === 'object' ? { events: [numbered(outcome.event, outcome.n, lastSequence)] } : outcome
        }),
    }
  }
  return {
    directory,
    ...(compiled === undefined && turned.length === 0 && !together.some(writesTerms)
      ? { assumed: { assumption: {}, decide: () => decide(noFacts) } }
      : {}),
    request: {
      users: [...new Set(together.map(({ before }) => before.id))],
      withGroups: compiled !== undefined,
      userNames: renamed,
      removed: turned,
      windows: turned.length > 0,
      roleCounts: compiled !== undefined,
    },
    decide,
  }
}

function isRenamed({ before, after }: UserReplacement): boolean {
  return fold(before.userName) !== fold(after.userName)
}

function writesTerms({ before, after }: UserReplacement): boolean {
  return changesTerms({ before: before.searched, after: after.searched })
}

type Outcome = ReplacedUserChange | 'user-name-taken' | 'version-mismatch'

function replacementsOf(
  { compiled }: WrittenDirectory,
  inputs: readonly UserReplacement[],
  facts: Facts,
): Map<UserReplacement, Outcome> {
  const outcomes = new Map<UserReplacement, Outcome>()
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
    const evaluated =
      compiled && state
        ? mappedReplacement(compiled, after, state, event)
        : { user: after, event, gained: [], lost: [] }
    outcomes.set(input, {
      ...{ before, after: evaluated.user, event: evaluated.event, gained: evaluated.gained, lost: evaluated.lost },
      ...{ n, receivedAt, position: state && { stored: state.position } },
    })
  }
  return outcomes
}
