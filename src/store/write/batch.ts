import type { DirectoryChanged } from '../../directory/directory-store.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { Facts, FactsRequest, NamedUser } from './facts.ts'
import { lockedState } from './facts.ts'
import { deprovisionings, events, eventVolumes } from './tables.ts'
import type { Writes } from './writes.ts'

/** The directory that a commit locks: at a revision, or at any as long as it is not deleted. */
export interface LockedDirectory {
  readonly id: string
  readonly revision?: number
}

/** What must be so for a commit that is decided without reading. */
export interface Assumption {
  /** None of these users, whose creation is decided, left recently, and the directory is not held. */
  readonly areNew?: NewUsers
}

/** Users who may have left before. Times are Unix milliseconds. */
export interface NewUsers {
  readonly users: readonly (NamedUser & Pick<IndexedUser, 'active'>)[]
  /** They are new if nobody was deleted since this time. */
  readonly deletedSince: number
  /** They are new if, besides, nobody became inactive since this time. */
  readonly deactivatedSince: number
}

/** The decision about a commit: what it writes, and its result by the last sequence number before it. */
export interface Decision<T> {
  readonly writes: Writes
  readonly answer: (lastSequence: number) => T
}

/** A decision that is followed by another one in the same transaction, on facts that are read after its writes. */
export interface FirstDecision<T> {
  readonly writes: Writes
  readonly next: Stage<T>
}

/** What a decision needs to know, and the decision. */
export interface Stage<T> {
  readonly request: FactsRequest
  decide(facts: Facts): Decision<T> | FirstDecision<T>
}

/**
 * A commit of changes of one directory. An engine locks the directory, reads the facts, calls `decide`, and writes the rows. It may
 * do without reading: then it takes the decision of `assumed`, and writes only if the assumption holds, every row that is updated is as
 * expected and every inserted one is new; otherwise it reads.
 */
export interface Batch<T> extends Stage<T> {
  readonly directory: LockedDirectory
  readonly assumed?: { readonly assumption: Assumption; readonly decide: () => Decision<T> }
}

/** Commits a batch when it is the turn of its directory; `directory-changed`: the directory is not at the revision, or is deleted. */
export type Commit = <T>(batch: Batch<T>) => Promise<T | DirectoryChanged>

/** A batch without a second stage. */
export interface DirectBatch<T> extends Batch<T> {
  decide(facts: Facts): Decision<T>
}

/** The end of a decision: its result, or the stage that follows. */
export type Ending<T> = Pick<Decision<T>, 'answer'> | Pick<FirstDecision<T>, 'next'>

/** The same stage, with another ending in place of its result. */
export function followedBy<A, T>({ request, decide }: Stage<A>, end: (result: A) => Ending<T>): Stage<T> {
  return {
    request,
    decide(facts) {
      const decision = decide(facts)
      const { writes } = decision
      if ('next' in decision) return { writes, next: followedBy(decision.next, end) }
      return { writes, ...end(decision.answer(lockedState(facts).lastSequence)) }
    },
  }
}

/** The tables whose rows are about events. */
const aboutEvents: ReadonlySet<string> = new Set([events.name, eventVolumes.name, deprovisionings.name])

/** The same batch as if its events had been discarded: nobody receives them, and nothing is stored of them. */
export function withoutEvents<T>({ directory, ...stage }: Batch<T>): Batch<T> {
  return { directory, ...stageWithoutEvents(stage) }
}

function stageWithoutEvents<T>({ request, decide }: Stage<T>): Stage<T> {
  return {
    request,
    decide(facts) {
      const decision = decide(facts)
      const writes = writesWithoutEvents(decision.writes)
      return 'next' in decision ? { writes, next: stageWithoutEvents(decision.next) } : { ...decision, writes }
    },
  }
}

function writesWithoutEvents({ tables, state, statements }: Writes): Writes {
  const { events: discardedEvents, activeUsers, memberships } = state
  return {
    tables: new Map([...tables].filter(([, { table }]) => !aboutEvents.has(table.name))),
    state: { events: 0, discardedEvents, activeUsers, memberships, changedAt: undefined, behaviors: new Map() },
    statements,
  }
}
