import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditEnd, AuditEntry, AuditHead } from '../../directory/audit.ts'
import { parseInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { isoTime } from '../time.ts'
import type { AuditStore } from './audit-store.ts'
import { isSealed } from './chain.ts'
import { isUnchanged } from './erasure.ts'

const entriesPerSlice = 500

/** The first break of a chain. `sequence` is that of the wrong or missing entry. */
export interface AuditBreak {
  readonly sequence: number
  readonly what: 'start' | 'missing' | 'changed' | 'order' | 'end'
}

/**
 * An intact chain: the number of its entries, and of those from which personal fields were erased, the first and the last
 * sequence (0 when there is none), and its end.
 */
export interface AuditChain {
  readonly entries: number
  readonly erased: number
  readonly from: number
  readonly to: number
  readonly end: AuditHead
}

export interface VerifyOptions {
  readonly store: Pick<AuditStore, 'auditAfter' | 'auditAnchor' | 'auditHead'>
  readonly key: string
  /**
   * The end of the chain as it was recorded elsewhere earlier. Without it, the replacement of the trail by an older
   * copy, or by an empty one, is not detected.
   */
  readonly earlier?: AuditHead | undefined
}

/** The break that an entry makes in the chain; undefined when it follows `head`. */
export function breakAt(key: string, head: AuditHead, entry: AuditEntry): AuditBreak | undefined {
  const expected = head.sequence + 1
  if (entry.sequence > expected) return { sequence: expected, what: 'missing' }
  if (!isUnchanged(key, entry)) return { sequence: entry.sequence, what: 'changed' }
  const follows = entry.sequence === expected && entry.previousHash === head.hash
  return follows ? undefined : { sequence: entry.sequence, what: 'order' }
}

/**
 * Verifies all stored entries and both ends, in slices, while entries are added and old ones are removed.
 */
export async function verifyChain(options: VerifyOptions): Promise<AuditChain | AuditBreak> {
  const { store, key } = options
  const anchor = await store.auditAnchor()
  if (!isSealed(key, 'anchor', anchor)) return { sequence: anchor.sequence + 1, what: 'start' }
  const verified = await verifyFrom(options, anchor)
  if (!('what' in verified)) return verified
  const moved = await store.auditAnchor()
  return moved.sequence > anchor.sequence ? verifyChain(options) : verified
}

async function verifyFrom({ store, key, earlier }: VerifyOptions, anchor: AuditHead): Promise<AuditChain | AuditBreak> {
  let [head, erased] = [anchor, 0]
  for (;;) {
    // Read before the slice: if the slice is empty, this was already the end.
    const end = await store.auditHead()
    const slice = await store.auditAfter(head.sequence, entriesPerSlice)
    if (slice.length === 0) return endBreak(key, end, head, earlier) ?? chainOf(anchor, end, erased)
    for (const entry of slice) {
      const broken = breakAt(key, head, entry)
      if (broken !== undefined) return broken
      if (isReplaced(entry, earlier)) return { sequence: entry.sequence, what: 'changed' }
      head = entry
      if (entry.erased !== undefined) erased += 1
    }
    // The embedded database is synchronous; let other work run.
    await nextTurn()
  }
}

function isReplaced({ sequence, hash }: AuditHead, earlier: AuditHead | undefined): boolean {
  return sequence === earlier?.sequence && hash !== earlier.hash
}

function endBreak(key: string, end: AuditEnd, last: AuditHead, earlier: AuditHead | undefined): AuditBreak | undefined {
  const isEnd = end.sequence === last.sequence && end.hash === last.hash && isSealed(key, 'head', end)
  if (isEnd && last.sequence >= (earlier?.sequence ?? 0)) return undefined
  return { sequence: end.sequence < last.sequence ? last.sequence : last.sequence + 1, what: 'end' }
}

function chainOf(anchor: AuditHead, { sequence, hash }: AuditHead, erased: number): AuditChain {
  const end = { sequence, hash }
  const entries = end.sequence - anchor.sequence
  return { entries, erased, from: entries === 0 ? 0 : anchor.sequence + 1, to: entries === 0 ? 0 : end.sequence, end }
}

const breakMessages = {
  start: (sequence) =>
    `The chain does not start as recorded: entries before ${sequence} were removed other than by retention.`,
  missing: (sequence) => `Entry ${sequence} is missing.`,
  changed: (sequence) => `Entry ${sequence} was changed.`,
  order: (sequence) => `Entry ${sequence} does not follow the one before it: an entry was inserted, replaced or moved.`,
  end: (sequence) => `The chain does not end as recorded: check entry ${sequence} and what should follow it.`,
} satisfies Record<AuditBreak['what'], (sequence: number) => string>

export function breakText({ sequence, what }: AuditBreak): string {
  return breakMessages[what](sequence)
}

/** The result of a verification, in the API's field names. Times are ISO 8601 in UTC; null when there is no entry. */
export type AuditReport =
  | {
      readonly ok: true
      /** The number of entries, and the first and last sequence; 0 when there is no entry. */
      readonly entries: number
      /** The number of entries from which personal fields were erased. */
      readonly erased: number
      readonly from: number
      readonly to: number
      readonly first_at: string | null
      readonly last_at: string | null
      /** Recorded elsewhere, it lets a later verification detect the removal of the newest entries. */
      readonly end: AuditHead
    }
  | { readonly ok: false; readonly break: AuditBreak & { readonly message: string } }

/** `GET event/verify`; `end` is that of an earlier verification. */
export const AuditVerifyQuery = Type.Object({
  end: Type.Optional(
    Type.String({
      description: 'end: the end of the chain as returned earlier, <sequence>:<hash>.',
      pattern: '^(0:|[1-9]\\d{0,14}:[0-9a-f]{64})$',
    }),
  ),
})

/** @throws DirectoryError `invalid-input` */
export function parseRecordedEnd(query: unknown): AuditHead | undefined {
  const { end } = parseInput(AuditVerifyQuery, query ?? {})
  if (end === undefined) return undefined
  const [sequence, hash = ''] = end.split(':')
  return { sequence: Number(sequence), hash }
}

/** The form of an end that a query accepts. */
export function endText({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hash}`
}

export async function auditReport(options: VerifyOptions): Promise<AuditReport> {
  const { store } = options
  const verified = await verifyChain(options)
  if ('what' in verified) return { ok: false, break: { ...verified, message: breakText(verified) } }
  const timeOf = async (sequence: number) => {
    const [entry] = sequence === 0 ? [] : await store.auditAfter(sequence - 1, 1)
    return entry === undefined ? null : isoTime(entry.at)
  }
  const { entries, erased, from, to, end } = verified
  return { ok: true, entries, erased, from, to, first_at: await timeOf(from), last_at: await timeOf(to), end }
}
