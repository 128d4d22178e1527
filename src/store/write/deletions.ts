import type { Committed, DirectoryChanged } from '../../directory/directory-store.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Decision, Ending, FirstDecision } from './batch.ts'
import { leaveGroups } from './effects/memberships.ts'
import type { Facts } from './facts.ts'
import { maxLeaving } from './facts.ts'
import { WriteCollection } from './writes.ts'

export type DeletionOutcome = Committed | 'version-mismatch' | DirectoryChanged

/**
 * The ways in which deleted users and groups leave the groups that they are in:
 *
 * - `at-once`: those in more than `maxLeaving` groups are left out of the batch
 * - `in-stages`: memberships beyond these end in further stages of the commit
 * - `later`: the caller ends their memberships, and removes the members of a deleted group
 */
export type Leaving = 'at-once' | 'in-stages' | 'later'

/** A deletion that is made. */
export interface MadeDeletion<I, S> {
  readonly input: I
  /** The number of its event in the commit, from 1. */
  readonly n: number
  readonly stored: S
}

interface DecidedDeletions<I, S> {
  readonly made: readonly MadeDeletion<I, S>[]
  /** When each of them is deleted, by id, in Unix milliseconds. */
  readonly deletedAt: ReadonlyMap<string, number>
  /** The outcome of each input; undefined for those that are left out. */
  readonly outcomes: readonly (DeletionOutcome | undefined)[]
}

/**
 * Decides which deletions are made. Of several deletions of one resource, the first is made and the others have a version mismatch.
 *
 * @param stored what is stored of the resources, by id
 */
export function decideDeletions<I extends { readonly event: UnnumberedEvent }, S extends { readonly version: number }>(
  inputs: readonly I[],
  resourceOf: (input: I) => { readonly id: string; readonly version: number },
  stored: ReadonlyMap<string, S>,
  facts: Pick<Facts, 'state' | 'leaving'>,
  leaving: Leaving,
): DecidedDeletions<I, S> {
  if (facts.state === undefined) throw new Error('Deletions are decided on facts.')
  const { lastSequence } = facts.state
  const leftOut = leaving === 'at-once' ? inManyGroups(facts) : new Set()
  const made: MadeDeletion<I, S>[] = []
  const deletedAt = new Map<string, number>()
  const outcomes = inputs.map((input): DeletionOutcome | undefined => {
    const { id, version } = resourceOf(input)
    const found = stored.get(id)
    if (found?.version !== version || deletedAt.has(id)) return 'version-mismatch'
    if (leftOut.has(id)) return undefined
    const { event } = input
    deletedAt.set(id, event.createdAt)
    made.push({ input, n: deletedAt.size, stored: found })
    return { events: [{ ...event, sequence: lastSequence + deletedAt.size }] }
  })
  return { made, deletedAt, outcomes }
}

/** The ids of those who are in more than `maxLeaving` groups. */
function inManyGroups({ leaving }: Pick<Facts, 'leaving'>): ReadonlySet<string> {
  const byMember = Map.groupBy(leaving, ({ memberId }) => memberId)
  return new Set([...byMember].flatMap(([id, memberships]) => (memberships.length > maxLeaving ? [id] : [])))
}

/**
 * Ends the memberships of users or groups that are deleted; those that were not read end in further stages.
 *
 * @param last what follows the last of these stages
 */
export function leaveInStages<T>(
  deletedAt: ReadonlyMap<string, number>,
  facts: Pick<Facts, 'leaving'>,
  writes: WriteCollection,
  last: Ending<T>,
): Decision<T> | FirstDecision<T> {
  leaveGroups(deletedAt, facts, writes)
  const inMany = inManyGroups(facts)
  const staying = new Map([...deletedAt].filter(([id]) => inMany.has(id)))
  if (staying.size === 0) return { writes, ...last }
  return {
    writes,
    next: {
      request: { leaving: [...staying.keys()] },
      decide: (found) => leaveInStages(staying, found, new WriteCollection(), last),
    },
  }
}
