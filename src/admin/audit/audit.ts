import type { AuditDraft, AuditEntry, Audited, AuditHead, Caller } from '../../directory/audit.ts'
import type { AdminPage } from '../paging.ts'
import { readAdminPage } from '../paging.ts'
import type { AuditAnswer } from './answer.ts'
import { auditAnswer } from './answer.ts'
import { createAudited } from './chain.ts'
import { parseAuditQuery } from './input.ts'
import type { AuditReport } from './report.ts'
import { auditReport, parseNotedEnd } from './report.ts'
import type { AuditStore } from './store.ts'
import type { AuditBreak, AuditChain } from './verify.ts'
import { verifyChain } from './verify.ts'

const entriesPerSlice = 200

export interface AuditParts {
  readonly store: AuditStore
  /** Of the chain: a secret of the service. */
  readonly key: string
  readonly newId: () => string
  readonly clock: () => number
}

/** The audit trail: who did what, when and from where, in entries of which each carries the hash of the one before. */
export interface Audit {
  /** What a store writes of an action, in the commit of the change. */
  readonly audited: Audited
  /** Writes an entry of something that changes nothing else. */
  append(draft: AuditDraft): Promise<AuditEntry>
  /**
   * The entries that a query asks for, newest first.
   *
   * @throws DirectoryError `invalid-input`
   */
  list(query: unknown): Promise<AdminPage<AuditAnswer>>
  /** Everything that is kept when it begins, oldest first: an entry per line, as JSON. The export is audited itself. */
  exportLines(caller: Caller): AsyncGenerator<string, void, undefined>
  /** Checks the chain; see `verifyChain`. */
  verify(earlier?: AuditHead): Promise<AuditChain | AuditBreak>
  /**
   * Checks the chain and says what came of it, as the API answers it; a query may name an `end` that was noted earlier.
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
      for (const entry of slice) if (entry.sequence <= end) yield `${JSON.stringify(auditAnswer(entry))}\n`
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
      return { rows: rows.map(auditAnswer), pageToken }
    },
    async *exportLines(caller) {
      const target = { kind: 'service', id: undefined } as const
      const { sequence } = await append({ action: 'audit.exported', caller, target, at: clock() })
      yield* linesUpTo(sequence)
    },
    verify: (earlier) => verifyChain({ store, key, earlier }),
    report: async (query) => auditReport({ store, key, earlier: parseNotedEnd(query) }),
  }
}
