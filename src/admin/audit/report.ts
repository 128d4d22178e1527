import { Type } from 'typebox'
import type { AuditHead } from '../../directory/audit.ts'
import { parseInput } from '../../directory/inputs.ts'
import { isoTime } from '../instant.ts'
import type { AuditBreak, VerifyOptions } from './verify.ts'
import { breakText, verifyChain } from './verify.ts'

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
