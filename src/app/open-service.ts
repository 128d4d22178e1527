import { createTimeSlices } from '../concurrency/time-slices.ts'
import { openStore } from '../store/open.ts'
import { openTracing } from '../tracing/tracing.ts'
import { version } from '../version.ts'
import type { Service } from './service.ts'
import { createService } from './service.ts'
import type { ServiceOptions } from './service-options.ts'
import { removalLimitOf } from './settings.ts'
import { tracedStore } from './traced-store.ts'

/**
 * Opens the database and creates every part over it.
 *
 * @throws Error with a message for the operator when the database cannot be opened
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, log } = options
  const slices = createTimeSlices()
  const store = await openStore({
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.ENCRYPTION_KEY,
    poolSize: settings.DATABASE_POOL_SIZE,
    directUrl: settings.DATABASE_DIRECT_URL,
    onBackgroundError: (error) => log.error({ err: error }, 'background work failed'),
    onWarning: (warning) => log.warn({}, warning),
    removalLimit: removalLimitOf(settings),
    slices,
  })
  try {
    const tracing = await openTracing(version)
    return await createService(tracing === undefined ? store : tracedStore(store, tracing), slices, {
      ...options,
      tracing,
    })
  } catch (error) {
    await store.close()
    throw error
  }
}
