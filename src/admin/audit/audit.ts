import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pruning } from '../../concurrency/pruning.ts'
import { createPruning } from '../../concurrency/pruning.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { AuditAction, AuditDraft, AuditEntry, Audited, AuditHead, Caller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { Page } from '../../reads/page.ts'
import { pageOf } from '../../reads/page.ts'
import type { AdminLog } from '../last-use.ts'
import type { AuditStore, SealAnchor } from './audit-store.ts'
import { createAudited, sealAfter } from './chain.ts'
import type { NameStore } from './directory-names.ts'
import { directoryNames } from './directory-names.ts'
import type { NamedEntryView } from './entry-view.ts'
import { auditEntryView, auditTokens, parseAuditQuery } from './entry-view.ts'
import type { AuditedPerson } from './erasure.ts'
import { withoutPerson } from './erasure.ts'
import type { AuditBreak, AuditChain, AuditReport } from './verify.ts'
import { auditReport, parseRecordedEnd, verifyChain } from './verify.ts'

const entriesPerSlice = 200

export interface AuditParts {
  readonly store: AuditStore & NameStore
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
  list(query: unknown): Promise<Page<NamedEntryView>>
  /** @throws DirectoryError `resource-not-found` when there is no entry with this number, or it is no longer kept */
  get(sequence: number): Promise<NamedEntryView>
  /** The name of the last caller who did something to a directory; undefined when it is not known. */
  lastCaller(targetId: string, action: AuditAction): Promise<string | undefined>
  /** All entries up to its start, oldest first, as one JSON text per line. The export itself is audited. */
  exportLines(caller: Caller): AsyncGenerator<string, void, undefined>
  /**
   * Erases what names a person, in all entries up to now: values and salts. Resolves with the number of entries changed. It
   * is done in steps, and may be repeated; the chain is valid at any time.
   */
  erasePerson(person: AuditedPerson): Promise<number>
  /** The number of entries that `erasePerson` would change. */
  countEntriesOf(person: AuditedPerson): Promise<number>
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

  async function named(entries: readonly AuditEntry[]): Promise<NamedEntryView[]> {
    const names = await directoryNames(store, entries)
    return entries.map(auditEntryView).map(({ target, ...view }) => ({
      ...view,
      target: { ...target, ...(names.get(target.id ?? '') ?? { name: null, is_deleted: false }) },
    }))
  }

  async function* linesUpTo(end: number): AsyncGenerator<string, void, undefined> {
    let after = 0
    while (after < end) {
      const slice = await store.auditAfter(after, entriesPerSlice)
      for (const entry of slice) if (entry.sequence <= end) yield `${JSON.stringify(auditEntryView(entry))}\n`
      after = slice.at(-1)?.sequence ?? end
    }
  }

  /**
   * Visits the slices of the trail that have entries for which `find` finds something, with the sequence number before the
   * slice and the number of these entries; resolves with the sum of the results. Nothing is locked while it searches.
   */
  async function visitEntries(
    find: (entry: AuditEntry) => unknown,
    visit: (after: number, found: number) => Promise<number>,
  ): Promise<number> {
    let sum = 0
    for (let after = 0; ; await nextTurn()) {
      const slice = await store.auditAfter(after, entriesPerSlice)
      const found = slice.filter((entry) => find(entry) !== undefined).length
      if (found > 0) sum += await visit(after, found)
      const last = slice.at(-1)
      if (last === undefined) return sum
      after = last.sequence
    }
  }

  return {
    audited,
    append,
    async list(query) {
      const { filter, before, limit } = parseAuditQuery(query)
      const found = await store.listAudit(filter, before, limit + 1)
      const { rows, pageToken } = pageOf(found, limit, auditTokens.write)
      return { rows: await named(rows), pageToken }
    },
    async get(sequence) {
      const found = Number.isSafeInteger(sequence) ? await store.listAudit({}, sequence + 1, 1) : []
      const [entry] = await named(found.filter((one) => one.sequence === sequence))
      if (entry !== undefined) return entry
      throw new DirectoryError('resource-not-found', 'There is no entry with this number, or it is no longer kept.')
    },
    lastCaller: async (targetId, action) =>
      (await store.listAudit({ targetId, action }, Number.MAX_SAFE_INTEGER, 1))[0]?.callerName,
    async *exportLines(caller) {
      const target = { kind: 'service', id: undefined } as const
      const { sequence } = await append({ action: 'audit.exported', caller, target, at: clock() })
      yield* linesUpTo(sequence)
    },
    erasePerson: (person) => {
      const erased = (entry: AuditEntry) => withoutPerson(key, entry, person)
      return visitEntries(erased, (after) => store.eraseInAudit(after, entriesPerSlice, erased))
    },
    countEntriesOf: (person) =>
      visitEntries(
        (entry) => withoutPerson(key, entry, person),
        async (_after, concerned) => concerned,
      ),
    verify: (earlier) => verifyChain({ store, key, earlier }),
    report: async (query) => auditReport({ store, key, earlier: parseRecordedEnd(query) }),
  }
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
