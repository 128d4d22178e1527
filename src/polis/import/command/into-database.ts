import { createAudited } from '../../../admin/audit/chain.ts'
import { openDatabaseClock } from '../../../app/database-clock.ts'
import { schedule } from '../../../concurrency/schedule.ts'
import { silentLogger } from '../../../delivery/observer.ts'
import type { Caller } from '../../../directory/audit.ts'
import { systemCaller } from '../../../directory/audit.ts'
import { newSecret } from '../../../directory/secret.ts'
import { newId } from '../../../ids/new-id.ts'
import type { StoreOptions } from '../../../store/open.ts'
import { openStore } from '../../../store/open.ts'
import type { ImportPolisOptions } from '../import-polis.ts'
import { importPolis } from '../import-polis.ts'
import type { ImportReport } from '../report.ts'

/** The Polis, the database, and what is done. */
export interface ImportIntoDatabase
  extends Pick<ImportPolisOptions, 'mode' | 'source' | 'withResync' | 'onProgress'>,
    Pick<StoreOptions, 'databaseUrl' | 'encryptionKey' | 'directUrl'> {
  /** The address of Polis, which may have credentials. */
  readonly from: string
  readonly filter?: ImportPolisOptions['filter']
  readonly poolSize?: number
  readonly caller?: Caller
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the database and imports what a Polis holds, lists what would be imported, or compares both sides. The source
 * remains open.
 *
 * @throws Error as `openStore`, or when Polis or the database cannot be read or written; another run continues
 */
export async function importIntoDatabase(options: ImportIntoDatabase): Promise<ImportReport> {
  const { databaseUrl, encryptionKey, directUrl, poolSize = 10, from, filter = {}, ...others } = options
  const { caller = systemCaller('rollcall import polis'), signal, mode, source, withResync, onProgress } = others
  const store = await openStore({ databaseUrl, encryptionKey, directUrl, poolSize, onBackgroundError: () => {} })
  try {
    const { now: clock } = await openDatabaseClock({ store, schedule, log: silentLogger })
    const auditKey = await store.getOrCreateSecret('audit-chain', newSecret())
    const setupLinkKey = await store.getOrCreateSecret('setup-links', newSecret())
    return await importPolis({
      ...{ mode, source, store, filter, caller, signal, withResync, onProgress, clock, newId, newSecret, setupLinkKey },
      origin: withoutCredentials(from),
      audited: createAudited(auditKey, newId),
    })
  } finally {
    await store.close()
  }
}

/** An address without user, password and parameters, which may contain secrets. */
export function withoutCredentials(address: string): string {
  return address.replace(/[?#].*/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, '$1')
}
