import type { RemovalLimit } from '../../directory/removal-limit.ts'
import type { MappedRevision } from '../mapped-users.ts'
import type { Facts, FactsRequest } from './facts.ts'
import { deprovisionings, events, eventVolumes } from './tables.ts'
import type { Writes } from './writes.ts'

/** The directory of a commit, at the revision under which it was authorized. */
export interface WrittenDirectory extends MappedRevision {
  /** The removal limit in effect. */
  readonly removalLimit: RemovalLimit | null
}

/** What the state of a directory must be for a commit that is decided without reading. Times are Unix milliseconds. */
export interface Assumption {
  /** Nobody was deleted since this time, nobody became inactive since the other, and the directory is not held. */
  readonly nobodyLeft?: { readonly deletedSince: number; readonly deactivatedSince: number }
}

/** The decision about a commit: what it writes, and its result by the last sequence number before it. */
export interface Decision<T> {
  readonly writes: Writes
  readonly answer: (lastSequence: number) => T
}

/**
 * A commit of changes of one directory. An engine locks the directory, reads the facts, calls `decide`, and writes the rows. It may
 * do without reading: then it calls `decide` with `assumed`, and writes only if the assumption holds, every row that is updated is as
 * expected and every inserted one is new; otherwise it reads.
 */
export interface Batch<T> {
  readonly directory: WrittenDirectory
  readonly assumed?: { readonly assumption: Assumption; readonly facts: Facts }
  readonly request: FactsRequest
  decide(facts: Facts): Decision<T>
}

/** The tables whose rows are about events. */
const aboutEvents: ReadonlySet<string> = new Set([events.name, eventVolumes.name, deprovisionings.name])

/** The same batch as if its events had been discarded: nobody receives them, and nothing is stored of them. */
export function withoutEvents<T>({ directory, request, decide }: Batch<T>): Batch<T> {
  return {
    directory,
    request,
    decide(facts) {
      const { writes, answer } = decide(facts)
      const { events: recorded, activeUsers, memberships } = writes.state
      const tables = new Map([...writes.tables].filter(([, { table }]) => !aboutEvents.has(table.name)))
      const state = { events: 0, discardedEvents: recorded, activeUsers, memberships, changedAt: undefined }
      return { writes: { tables, state: { ...state, behaviors: new Map() }, statements: writes.statements }, answer }
    },
  }
}
