/** The kinds of what an import decides by itself, in the order of the report. */
export const decisionKinds = [
  'directory-refused',
  'changed-here',
  'list-incomplete',
  'unreadable',
  'without-directory',
  'type-unknown',
  'user-name-taken',
  'member-without-user',
  'value-refused',
  'attribute-dropped',
  'record-adjusted',
  'secret-made',
  'endpoint-refused',
  'event-refused',
  'link-kept',
  'link-refused',
  'link-expired',
  'stale-index',
] as const

export type DecisionKind = (typeof decisionKinds)[number]

/** A decision about a record that is not imported as it is, as a sentence without secrets. */
export interface Decision {
  readonly kind: DecisionKind
  readonly directoryId?: string | undefined
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  /** The user, group or other record. */
  readonly id?: string | undefined
  readonly text: string
}

/** Receives decisions as they are made. */
export type Decide = (decision: Decision) => void

/** The decisions of an import: all are counted, and the first ones of each kind are listed. */
export interface Decisions {
  readonly decide: Decide
  counts(): Partial<Record<DecisionKind, number>>
  list(): Decision[]
}

/** The decisions of a kind that are listed. Those about userNames must all be found, and are rarely many. */
const listedPerKind = 2_000

/** Collects decisions in bounded memory. */
export function createDecisions(): Decisions {
  const found = new Map<DecisionKind, { count: number; listed: Decision[] }>()
  return {
    decide(decision) {
      const ofKind = found.get(decision.kind) ?? { count: 0, listed: [] }
      found.set(decision.kind, ofKind)
      ofKind.count += 1
      if (ofKind.listed.length < listedPerKind) ofKind.listed.push(decision)
    },
    counts: () => Object.fromEntries(decisionKinds.flatMap((kind) => countOf(kind, found.get(kind)?.count))),
    list: () => decisionKinds.flatMap((kind) => (found.get(kind)?.listed ?? []).toSorted(byPlace)),
  }
}

/** Directories are imported several at a time. */
function byPlace(a: Decision, b: Decision): number {
  const [left, right] = [a, b].map(({ tenant, product, directoryId }) => `${tenant}/${product}/${directoryId}`)
  return (left ?? '') < (right ?? '') ? -1 : Number(left !== right)
}

function countOf(kind: DecisionKind, count: number | undefined): [DecisionKind, number][] {
  return count === undefined ? [] : [[kind, count]]
}
