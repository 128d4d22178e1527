import type { Schedule } from '../concurrency/schedule.ts'
import type { Caller } from '../directory/audit.ts'
import type { Page } from '../reads/page.ts'
import type { EraseParts, ErasureToRepeat, ErasureView, Repeated } from './erase.ts'
import { erase, finishErasures, repeatErasure } from './erase.ts'
import type { ListedErasureView } from './erasures.ts'
import { listErasures } from './erasures.ts'
import type { ExportParts } from './export.ts'
import { exportPerson } from './export.ts'
import type { Receipts } from './receipts.ts'

export interface PrivacyParts
  extends Omit<EraseParts, 'store' | 'running' | 'receipts'>,
    Omit<ExportParts, 'store' | 'audit'> {
  readonly store: EraseParts['store'] & ExportParts['store']
  readonly receipts: Pick<Receipts, 'sign' | 'subjectKey' | 'publicKeys'>
  readonly schedule: Schedule
  readonly log: { error(details: object, message: string): void }
}

/** Exports and erases the data about one person. Inputs have the field names of the API, and are checked here. */
export interface Privacy {
  /** See `exportPerson`. */
  export(input: unknown, caller: Caller, signal?: AbortSignal): Promise<AsyncGenerator<string, void, undefined>>
  /** See `erase`. */
  erase(input: unknown, requestId: string, caller: Caller): Promise<ErasureView>
  /** See `repeatErasure`. */
  repeat(erasure: ErasureToRepeat, caller: Caller): Promise<Repeated>
  /** See `listErasures`. */
  erasures(query: unknown): Promise<Page<ListedErasureView>>
  /**
   * Finishes, in the background, the erasures that were interrupted, and creates the keys of receipts: a backup that is older than
   * them could not verify receipts.
   */
  start(): void
  /** Waits for the erasures that are being carried out. */
  close(): Promise<void>
}

export function createPrivacy(parts: PrivacyParts): Privacy {
  const running = new Set<string>()
  const eraseParts: EraseParts = { ...parts, running }
  const open = new Set<Promise<unknown>>()
  let cancelStart: (() => void) | undefined

  function tracked<T>(work: Promise<T>): Promise<T> {
    open.add(work)
    const forget = () => open.delete(work)
    work.then(forget, forget)
    return work
  }

  return {
    export: (input, caller, signal) => exportPerson(parts, input, caller, signal),
    erase: (input, requestId, caller) => tracked(erase(eraseParts, input, requestId, caller)),
    repeat: (erasure, caller) => tracked(repeatErasure(eraseParts, erasure, caller)),
    erasures: (query) => listErasures(parts, query),
    start() {
      cancelStart = parts.schedule(() => {
        tracked(Promise.all([finishErasures(eraseParts), parts.receipts.publicKeys()])).catch((error) =>
          parts.log.error({ err: error }, 'an interrupted erasure could not be finished; the next start tries again'),
        )
      }, 0)
    },
    async close() {
      cancelStart?.()
      await Promise.allSettled(open)
    },
  }
}
