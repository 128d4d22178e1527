import { existsSync } from 'node:fs'
import { createAudit } from '../../admin/audit/audit.ts'
import { openDatabaseClock } from '../../app/database-clock.ts'
import { rotateKeys } from '../../app/rotate-keys.ts'
import type { Settings } from '../../app/settings.ts'
import { schedule } from '../../concurrency/schedule.ts'
import { silentLogger } from '../../delivery/observer.ts'
import { systemCaller } from '../../directory/audit.ts'
import { newSecret } from '../../directory/secret.ts'
import { newId } from '../../ids/new-id.ts'
import { missingDatabaseProblem } from '../../store/files.ts'
import type { StoreLog } from '../../store/log.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import type { ManagedService } from './managed-service.ts'

/**
 * Opens the database to manage the service without a running process. A missing database file is not created.
 *
 * @throws DatabaseInUse when a running service uses the file
 * @throws Error with a message for the operator when the database cannot be opened
 */
export async function openDatabase(settings: Settings): Promise<ManagedService> {
  requireFile(settings.DATABASE_URL)
  const store = await openStoreOf(settings)
  try {
    const key = await store.getOrCreateSecret('audit-chain', newSecret())
    const clock = await clockOf(store)
    const audit = createAudit({ store, key, newId, clock })
    return {
      where: 'the database',
      verify: (end) => audit.report(end === undefined ? {} : { end }),
      exportAudit: () => audit.exportLines(systemCaller('rollcall audit export')),
      async rotateKeys(onProgress) {
        const parts = { store, audit, clock, onProgress }
        return (await rotateKeys(parts, systemCaller('rollcall rotate-keys'))).resealed
      },
      [Symbol.asyncDispose]: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens the store for one command. Background work continues in the next process. */
export function openStoreOf(settings: Settings, log?: StoreLog): Promise<Store> {
  return openStore({
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.ENCRYPTION_KEY,
    poolSize: settings.DATABASE_POOL_SIZE,
    directUrl: settings.DATABASE_DIRECT_URL,
    onBackgroundError: () => {},
    ...(log === undefined ? {} : { log }),
  })
}

/** The time of the database, for one command. */
export async function clockOf(store: Store): Promise<() => number> {
  const { now } = await openDatabaseClock({ store, schedule, log: silentLogger })
  return now
}

/** @throws Error if the file of an embedded database does not exist, because it would be created */
export function requireFile(databaseUrl: string): void {
  const [, file] = /^sqlite:(.+)$/.exec(databaseUrl) ?? []
  if (file === undefined || existsSync(file)) return
  throw new Error(
    missingDatabaseProblem(file) ??
      `There is no database ${file}: run this in the folder of the service, or set DATABASE_URL.`,
  )
}
