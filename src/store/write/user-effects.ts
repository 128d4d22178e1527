import type { Committed } from '../../directory/directory-store.ts'
import type { Assumption, Decision, DirectBatch } from './batch.ts'
import { countUsers } from './effects/counts.ts'
import { openDeprovisionings } from './effects/deprovisionings.ts'
import type { Effect, EffectContext, PlannedChange, UserChange, WrittenDirectory } from './effects/effect.ts'
import { writeEvents } from './effects/events.ts'
import { countRemovedUsers } from './effects/removals.ts'
import { recognizeReturns } from './effects/returns.ts'
import { searchUsers } from './effects/search-terms.ts'
import { writeUsers } from './effects/users.ts'
import type { Facts, FactsRequest } from './facts.ts'
import { noFacts, requestOfAll } from './facts.ts'
import { WriteCollection } from './writes.ts'

/** Everything that follows from changes of users in all directories. */
const effects: readonly Effect[] = [
  writeUsers,
  countUsers,
  searchUsers,
  openDeprovisionings,
  recognizeReturns,
  countRemovedUsers,
]

function effectsOf(directory: WrittenDirectory): readonly Effect[] {
  return directory.effects === undefined ? effects : [...effects, ...directory.effects]
}

/** What effects have to know about changes of users. */
export function requestsOfEffects(
  changes: readonly PlannedChange[],
  directory: WrittenDirectory,
): readonly FactsRequest[] {
  return effectsOf(directory).flatMap((effect) => effect.request?.(changes, directory) ?? [])
}

/**
 * Collects what changes of users write, their events included.
 *
 * @returns the changes as effects have completed them
 */
export function applyUserEffects(
  changes: readonly UserChange[],
  context: Omit<EffectContext, 'at'>,
  writes: WriteCollection,
): readonly UserChange[] {
  const { directory, facts } = context
  const all = effectsOf(directory)
  const completed = changes.map((change) =>
    all.reduce((found, effect) => effect.complete?.(found, facts) ?? found, change),
  )
  writeEvents(
    completed.map(({ event }) => event),
    writes,
  )
  const at = Math.max(0, ...completed.map(({ event }) => event.createdAt))
  for (const effect of all) effect.write?.(completed, { ...context, at }, writes)
  return completed
}

/** An operation on users: what it reads and decides besides its effects. */
export interface UserOperation<I, R extends string> {
  readonly plan: (input: I) => PlannedChange
  readonly request: (inputs: readonly I[]) => FactsRequest
  /** What is assumed in place of reading anything about the changes; by default they are read if an effect has to know something. */
  readonly assumption?: (inputs: readonly I[]) => Assumption
  /** Decides which changes are made, in their order, and which are rejected; the others are left out of the commit. */
  readonly decide: (inputs: readonly I[], facts: Facts) => ReadonlyMap<I, UserChange | R>
}

/** Makes an operation a batch: as many of its inputs as can be changed in one commit, and what follows from them. */
export function changeUsers<I, R extends string>(
  directory: WrittenDirectory,
  inputs: readonly I[],
  { plan, request, assumption, decide }: UserOperation<I, R>,
): DirectBatch<readonly (Committed | R | undefined)[]> {
  const together = firstTogether(directory, inputs, plan)
  const requests = requestsOfEffects(together.map(plan), directory)
  const decideAll = (facts: Facts): Decision<readonly (Committed | R | undefined)[]> => {
    const outcomes = decide(together, facts)
    const writes = new WriteCollection()
    const changes = [...outcomes.values()].filter((outcome) => typeof outcome === 'object')
    const completed = applyUserEffects(changes, { directory, facts }, writes)
    return {
      writes,
      answer: (lastSequence) =>
        inputs.map((input) => {
          const outcome = outcomes.get(input)
          if (typeof outcome !== 'object') return outcome
          const { event } = completed[outcome.n - 1] ?? outcome
          return { events: [{ ...event, sequence: lastSequence + outcome.n }] }
        }),
    }
  }
  const assumed = assumption?.(together) ?? (requests.length === 0 ? {} : undefined)
  return {
    directory,
    ...(assumed && { assumed: { assumption: assumed, decide: () => decideAll(noFacts) } }),
    request: requestOfAll([request(together), ...requests]),
    decide: decideAll,
  }
}

/** The first inputs whose users are changed in one commit. */
function firstTogether<I>(
  { effects: own = [] }: WrittenDirectory,
  inputs: readonly I[],
  plan: (input: I) => PlannedChange,
): readonly I[] {
  const counts = own.flatMap((effect) => effect.usersAtOnce?.(inputs.map(plan)) ?? [])
  return counts.length === 0 ? inputs : inputs.slice(0, Math.min(...counts))
}
