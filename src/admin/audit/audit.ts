import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pruning } from '../../concurrency/pruning.ts'
import { createPruning } from '../../concurrency/pruning.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { AuditDraft, AuditEntry, Audited, AuditHead, Caller } from '../../directory/audit.ts'
import type { Page } from '../../reads/listing.ts'
import type { AdminLog } from '../last-use.ts'
import { readAdminPage } from '../paging.ts'
import type { AuditStore, SealAnchor } from './audit-store.ts'
import { createAudited, sealAfter } from './chain.ts'
import type { AuditEntryView } from './entry-view.ts'
import { auditEntryView, parseAuditQuery } from './entry-view.ts'
import { withoutPerson } from './erasure.ts'
import type { ErasedTerms } from './terms.ts'
import { createTermSearch } from './terms.ts'
import type { AuditBreak, AuditChain, AuditReport } from './verify.ts'
import { auditReport, parseRecordedEnd, verifyChain } from './verify.ts'

const entriesPerSlice = 200

export interface AuditParts {
  readonly store: AuditStore
  /** The HMAC key of the hash chain. */
  readonly key: string
  readonly newId: () => string
  readonly clock: () => number
}

/** The audit trail: who did what, when and from where. Each entry contains the hash of the one before. */
export interface Audit {
  /** Prepares the entry of a change, which the store writes in the same commit. */
  readonly audited: Audited
  /** Writes a single entry, for an action without another change. */
  append(draft: AuditDraft): Promise<AuditEntry>
  /**
   * The entries that match a query, newest first.
   *
   * @throws DirectoryError `invalid-input`
   */
  list(query: unknown): Promise<Page<AuditEntryView>>
  /** All entries up to its start, oldest first, as one JSON text per line. The export itself is audited. */
  exportLines(caller: Caller): AsyncGenerator<string, void, undefined>
  /**
   * Erases what names a person, in all entries up to now: values and salts. Resolves with the number of entries changed. It
   * may be repeated, and continues in steps; the chain stays valid throughout.
   */
  eraseFromAudit(person: ErasedTerms): Promise<number>
  /** See `verifyChain`. */
  verify(earlier?: AuditHead): Promise<AuditChain | AuditBreak>
  /**
   * Verifies the chain for the API; a query may contain the `end` that was recorded earlier.
   *
   * @throws DirectoryError `invalid-input`
   */
  report(query: unknown): Promise<AuditReport>
}

export function createAudit({ store, key, newId, clock }: AuditParts): Audit {
  const audited = createAudited(key, newId)
  const append = (draft: AuditDraft) => store.appendAudit(audited(draft))

  async function* linesUpTo(end: number): AsyncGenerator<string, void, undefined> {
    let after = 0
    while (after < end) {
      const slice = await store.auditAfter(after, entriesPerSlice)
      for (const entry of slice) if (entry.sequence <= end) yield `${JSON.stringify(auditEntryView(entry))}\n`
      after = slice.at(-1)?.sequence ?? end
    }
  }

  return {
    audited,
    append,
    async list(query) {
      const { filter, before, limit } = parseAuditQuery(query)
      const read = (count: number) => store.listAudit(filter, before, count)
      const { rows, pageToken } = await readAdminPage(limit, read, ({ sequence }) => sequence)
      return { rows: rows.map(auditEntryView), pageToken }
    },
    async *exportLines(caller) {
      const target = { kind: 'service', id: undefined } as const
      const { sequence } = await append({ action: 'audit.exported', caller, target, at: clock() })
      yield* linesUpTo(sequence)
    },
    eraseFromAudit: (person) => eraseFromAudit(store, key, person),
    verify: (earlier) => verifyChain({ store, key, earlier }),
    report: async (query) => auditReport({ store, key, earlier: parseRecordedEnd(query) }),
  }
}

/** Reads the trail without a lock; only entries that name the person are read again with one. */
async function eraseFromAudit(store: AuditStore, key: string, person: ErasedTerms): Promise<number> {
  const names = createTermSearch(person.terms)
  const erased = (entry: AuditEntry) => (isAbout(person, entry) ? withoutPerson(key, entry, names) : undefined)
  let [after, count] = [0, 0]
  for (;;) {
    const slice = await store.auditAfter(after, entriesPerSlice)
    if (slice.length === 0) return count
    if (slice.some((entry) => erased(entry) !== undefined)) {
      count += await store.eraseInAudit(after, entriesPerSlice, erased)
    }
    after = slice.at(-1)?.sequence ?? after
    await nextTurn()
  }
}

function isAbout(person: ErasedTerms, { tenant, product }: AuditEntry): boolean {
  return (tenant ?? person.tenant) === person.tenant && (product ?? person.product) === person.product
}

const dayMs = 24 * 3_600_000

export interface AuditRetentionOptions {
  readonly store: Pick<AuditStore, 'pruneAudit'>
  /** The HMAC key of the hash chain. */
  readonly key: string
  /** Days for which an entry is kept; 0 means forever. */
  readonly days: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
  readonly random: () => number
}

/** Removes the oldest entries of the audit trail; the rest is still a valid chain. */
export function createAuditRetention({ store, key, days, clock, ...background }: AuditRetentionOptions): Pruning {
  if (days === 0) return { start: () => {}, close: async () => {} }
  const sealAnchor: SealAnchor = (previous, anchor) => sealAfter(key, 'anchor', previous, anchor)
  const remove = (limit: number) => store.pruneAudit(clock() - days * dayMs, limit, sealAnchor)
  const what = 'old entries of the audit trail'
  return createPruning({ what, remove, rowsPerStep: 200, intervalMs: 3_600_000, ...background })
}
