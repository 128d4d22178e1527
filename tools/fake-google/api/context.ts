import type { Fault } from '../fault.ts'
import type { Knobs } from '../knobs.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { FakeRequest } from '../request.ts'

/** What the endpoints of the API work with. */
export interface ApiContext {
  readonly state: WorkspaceState
  readonly knobs: Knobs
  readonly now: () => number
  /** Of page tokens; those of an earlier one are not known any more. */
  readonly generation: () => number
  /** A number that nothing else has had: what is volatile is made of it. */
  readonly nextMark: () => number
  /** A list that is put in order once, and again after a change. */
  readonly ordered: <T>(key: string, make: () => T[]) => readonly T[]
  /** Begins the next generation of page tokens. */
  forgetPageTokens(): void
}

/** Makes what the endpoints work with; it has counters of its own. */
export function createApiContext({ state, knobs, now }: Pick<ApiContext, 'state' | 'knobs' | 'now'>): ApiContext {
  let generation = 0
  let mark = 0
  return {
    state,
    knobs,
    now,
    generation: () => generation,
    nextMark: () => ++mark,
    ordered: createOrderedLists(state),
    forgetPageTokens() {
      generation += 1
    },
  }
}

/** A call of the API whose token is good. */
export interface ApiCall {
  readonly request: FakeRequest
  readonly fault: Fault | undefined
}

/** Keeps lists in order until something changes. */
function createOrderedLists(state: Pick<WorkspaceState, 'changes'>): ApiContext['ordered'] {
  const lists = new Map<string, { readonly changes: number; readonly items: readonly unknown[] }>()
  return <T>(key: string, make: () => T[]) => {
    const known = lists.get(key)
    if (known?.changes === state.changes) return known.items as readonly T[]
    const items = make()
    lists.set(key, { changes: state.changes, items })
    return items
  }
}
