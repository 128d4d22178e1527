import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import type { AuditEntry, AuditHead } from '../../directory/audit.ts'
import { parseInput } from '../../directory/inputs.ts'
import { isoTime } from '../time.ts'
import { hashEntry } from './chain.ts'
import type { AuditStore } from './store.ts'

const entriesPerSlice = 500

/** Where a chain is broken first. `sequence` is that of the entry that is wrong or not there. */
export interface AuditBreak {
  readonly sequence: number
  readonly what: 'missing' | 'changed' | 'order' | 'end'
}

/** A chain that holds: how many entries, the first and the last of them (0 when there is none), and its end. */
export interface AuditChain {
  readonly entries: number
  readonly from: number
  readonly to: number
  readonly end: AuditHead
}

export interface VerifyOptions {
  readonly store: Pick<AuditStore, 'auditAfter' | 'auditAnchor' | 'auditHead'>
  readonly key: string
  /**
   * The end of the chain as it was noted elsewhere at an earlier time. Only with it is it noticed that the newest entries
   * were taken away together with the record of the end.
   */
  readonly earlier?: AuditHead | undefined
}

/** What an entry that breaks the chain breaks; undefined when it fits behind that place. Pure. */
export function breakAt(key: string, place: AuditHead, entry: AuditEntry): AuditBreak | undefined {
  const expected = place.sequence + 1
  if (entry.sequence > expected) return { sequence: expected, what: 'missing' }
  const { hash, ...unsealed } = entry
  if (hashEntry(key, unsealed) !== hash) return { sequence: entry.sequence, what: 'changed' }
  const follows = entry.sequence === expected && entry.previousHash === place.hash
  return follows ? undefined : { sequence: entry.sequence, what: 'order' }
}

/**
 * Checks the whole chain that is kept, in slices, while entries are added to it and old ones are removed. That the oldest
 * ones were removed before their time looks like retention and is not noticed.
 */
export async function verifyChain(options: VerifyOptions): Promise<AuditChain | AuditBreak> {
  const { store } = options
  const anchor = await store.auditAnchor()
  const verified = await verifyFrom(options, anchor)
  if (!('what' in verified)) return verified
  const moved = await store.auditAnchor()
  return moved.sequence > anchor.sequence ? verifyChain(options) : verified
}

async function verifyFrom({ store, key, earlier }: VerifyOptions, anchor: AuditHead): Promise<AuditChain | AuditBreak> {
  let place = anchor
  for (;;) {
    // read before the slice: when nothing is behind the place, the end was there already
    const end = await store.auditHead()
    const slice = await store.auditAfter(place.sequence, entriesPerSlice)
    if (slice.length === 0) return endBreak(end, place, earlier) ?? chainOf(anchor, end)
    for (const entry of slice) {
      const broken = breakAt(key, place, entry)
      if (broken !== undefined) return broken
      if (isReplaced(entry, earlier)) return { sequence: entry.sequence, what: 'changed' }
      place = entry
    }
    // nothing of a slice waits on the embedded database: others get their turn here
    await nextTurn()
  }
}

function isReplaced({ sequence, hash }: AuditHead, earlier: AuditHead | undefined): boolean {
  return sequence === earlier?.sequence && hash !== earlier.hash
}

function endBreak(end: AuditHead, last: AuditHead, earlier: AuditHead | undefined): AuditBreak | undefined {
  const isEnd = end.sequence === last.sequence && end.hash === last.hash
  if (isEnd && last.sequence >= (earlier?.sequence ?? 0)) return undefined
  return { sequence: end.sequence < last.sequence ? last.sequence : last.sequence + 1, what: 'end' }
}

function chainOf(anchor: AuditHead, end: AuditHead): AuditChain {
  const entries = end.sequence - anchor.sequence
  return { entries, from: entries === 0 ? 0 : anchor.sequence + 1, to: entries === 0 ? 0 : end.sequence, end }
}

const inWords = {
  missing: (sequence) => `Entry ${sequence} is missing.`,
  changed: (sequence) => `Entry ${sequence} is not as it was written.`,
  order: (sequence) => `Entry ${sequence} does not follow the entry before it: one was put in, replaced or moved.`,
  end: (sequence) => `The chain does not end as it was recorded: look at entry ${sequence} and what should follow it.`,
} satisfies Record<AuditBreak['what'], (sequence: number) => string>

/** A break as an operator reads it. */
export function breakText({ sequence, what }: AuditBreak): string {
  return inWords[what](sequence)
}

/** What a check of the chain says, in the API's field names. Times are ISO 8601, in UTC; null when nothing is kept. */
export type AuditReport =
  | {
      readonly ok: true
      /** How many entries are kept, and the numbers of the first and the last of them; 0 when there is none. */
      readonly entries: number
      readonly from: number
      readonly to: number
      readonly first_at: string | null
      readonly last_at: string | null
      /** To be noted elsewhere: with it, a later check notices that the newest entries were taken away. */
      readonly end: AuditHead
    }
  | { readonly ok: false; readonly break: AuditBreak & { readonly message: string } }

/** `GET event/verify`: the end of the chain as it was noted at an earlier check. */
export const AuditVerifyQuery = Type.Object({
  end: Type.Optional(
    Type.String({
      description: 'end: the end of the chain as it was told earlier, <sequence>:<hash>.',
      pattern: '^(0:|[1-9]\\d{0,14}:[0-9a-f]{64})$',
    }),
  ),
})

/** @throws DirectoryError `invalid-input` */
export function parseNotedEnd(query: unknown): AuditHead | undefined {
  const { end } = parseInput(AuditVerifyQuery, query ?? {})
  if (end === undefined) return undefined
  const [sequence, hash = ''] = end.split(':')
  return { sequence: Number(sequence), hash }
}

/** The end of a chain in the form in which it is noted. */
export function endText({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hash}`
}

/** Checks the whole chain; see `verifyChain`. */
export async function auditReport(options: VerifyOptions): Promise<AuditReport> {
  const { store } = options
  const verified = await verifyChain(options)
  if ('what' in verified) return { ok: false, break: { ...verified, message: breakText(verified) } }
  const timeOf = async (sequence: number) => {
    const [entry] = sequence === 0 ? [] : await store.auditAfter(sequence - 1, 1)
    return entry === undefined ? null : isoTime(entry.at)
  }
  const { entries, from, to, end } = verified
  return { ok: true, entries, from, to, first_at: await timeOf(from), last_at: await timeOf(to), end }
}
