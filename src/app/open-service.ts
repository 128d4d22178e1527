import { schedule } from '../concurrency/schedule.ts'
import { createTimeSlices } from '../concurrency/time-slices.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { openTracing } from '../tracing/tracing.ts'
import { version } from '../version.ts'
import { createOutageLog } from './outage.ts'
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
  const { settings } = options
  const slices = createTimeSlices()
  let store: Store | undefined
  const outage = createOutageLog({ log: options.log, ping: async () => store?.ping(), schedule })
  const { log } = outage
  store = await openStore({
    databaseUrl: settings.DATABASE_URL,
    encryptionKey: settings.ENCRYPTION_KEY,
    poolSize: settings.DATABASE_POOL_SIZE,
    directUrl: settings.DATABASE_DIRECT_URL,
    onBackgroundError: (error) => log.error({ err: error }, 'background work failed'),
    log,
    removalLimit: removalLimitOf(settings),
    slices,
  })
  try {
    const tracing = await openTracing(version)
    const traced = tracing === undefined ? store : tracedStore(store, tracing)
    const service = await createService(traced, slices, { ...options, log, tracing })
    return {
      ...service,
      reportOutage: outage.report,
      async close() {
        outage.close()
        await service.close()
      },
    }
  } catch (error) {
    outage.close()
    await store.close()
    throw error
  }
}
