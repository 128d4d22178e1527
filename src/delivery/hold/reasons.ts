import { DirectoryError } from '../../directory/errors.ts'
import { parseInput } from '../../directory/inputs.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { AcceptedReasons, Hold, HoldReason } from './hold-store.ts'
import { holdReasons } from './hold-store.ts'

/** A reason for which a directory is held, and the version of the newest hold for it. */
export interface HeldReason {
  readonly reason: HoldReason
  readonly version: number
}

const versionPattern = `(?:${holdReasons.join('|')}):\\d{1,15}`

/** The reasons that a release or a discard ends. */
export const EndHoldInput = Type.Object(
  {
    reasons: Type.Optional(
      Type.Array(Type.Enum(holdReasons), {
        minItems: 1,
        uniqueItems: true,
        description: `reasons: at least one of ${holdReasons.join(', ')}, each once.`,
      }),
    ),
    version: Type.Optional(
      Type.String({
        ...{ maxLength: 200, examples: ['users:58213'] },
        pattern: `^${versionPattern}(?:,${versionPattern})*$`,
        description: 'version: the version of the hold that was read.',
      }),
    ),
  },
  { title: 'EndHoldInput', examples: [{ reasons: ['users'], version: 'users:58213' }] },
)

/** The version of all reasons together, for a later release or discard of them; null when there is none. */
export function versionOf(held: readonly HeldReason[]): string | null {
  return held.length === 0 ? null : held.map(({ reason, version }) => `${reason}:${version}`).join(',')
}

/**
 * The reasons that a release or a discard ends: the named ones, or all. Those that are not held are left out. The caller must have
 * seen each of them if it sends the version that it has read.
 *
 * @param body undefined: all that there are
 * @throws DirectoryError `invalid-input`; `hold-changed` when one has begun after that version
 */
export function acceptedReasons(held: readonly HeldReason[], body: unknown): AcceptedReasons {
  const { reasons: named, version }: Static<typeof EndHoldInput> = parseInput(EndHoldInput, body ?? {})
  const accepted = held.filter(({ reason }) => named?.includes(reason) ?? true)
  if (version !== undefined) {
    const seen = new Map(version.split(',').map((part) => [part.split(':')[0], Number(part.split(':')[1])]))
    const newer = accepted.filter(({ reason, version: current }) => current > (seen.get(reason) ?? -1))
    if (newer.length > 0) throw holdChanged(newer)
  }
  return new Map(accepted.map(({ reason, version: current }) => [reason, current]))
}

function holdChanged(newer: readonly HeldReason[]): DirectoryError {
  const names = newer.map(({ reason }) => reason).join(', ')
  const message = `The directory has been held for another reason since (${names}): read the hold again, and send its version.`
  return new DirectoryError('hold-changed', message)
}

/** The holds for each reason, in the order in which they are given: `roles` may have several. */
export function byReason<H extends { readonly reason: HoldReason }>(holds: readonly H[]): (readonly [H, ...H[]])[] {
  const found = Map.groupBy(holds, ({ reason }) => reason)
  return [...found.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]))
}

/** Holds that end and holds that remain. */
export interface SplitHolds {
  readonly ended: readonly Hold[]
  readonly remaining: readonly Hold[]
  /** The new first event of those that began at later ones; undefined when these are still there. */
  readonly movedTo?: number
}

/** @param accepted undefined: all holds end */
export function splitHolds(holds: readonly Hold[], accepted: AcceptedReasons | undefined): SplitHolds {
  const ends = ({ reason, version }: Hold) => accepted === undefined || version <= (accepted.get(reason) ?? -1)
  return { ended: holds.filter(ends), remaining: holds.filter((hold) => !ends(hold)) }
}

/**
 * The holds that remain after a discard: those of discarded events hold the resync that is sent in place of the events, because it would
 * report the same changes.
 *
 * @param startsAt the sequence number of `sync.started`
 */
export function afterDiscard({ ended, remaining }: SplitHolds, startsAt: number): SplitHolds {
  const moved = remaining.map((hold) => ({ ...hold, firstSequence: Math.min(hold.firstSequence, startsAt) }))
  return { ended, remaining: moved, movedTo: startsAt }
}

/** The first event that is held; undefined when none is. */
export function firstHeld(holds: readonly Hold[]): number | undefined {
  return holds.length === 0 ? undefined : Math.min(...holds.map(({ firstSequence }) => firstSequence))
}
