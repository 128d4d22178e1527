import type { Directory } from '../directory/directory.ts'
import type { DeliveryTarget, EventStore } from './event-store.ts'
import { directoryUpdated } from './policy.ts'
import type { Scheduler } from './scheduler.ts'

export interface TargetsParts {
  readonly store: Pick<EventStore, 'changeStream'>
  readonly tenantOf: (directoryId: string) => Promise<string | undefined>
  /** Sends to the endpoints of the directories. */
  readonly endpoints: Scheduler
  /** Calls `onEvent` of the embedding process; undefined without one. */
  readonly callbacks: Scheduler | undefined
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The receivers of the events of directories. */
export interface Targets {
  readonly names: readonly DeliveryTarget[]
  /** Sends the new events of a directory. */
  wake(directory: Directory): void
  /** Retries a directory's events immediately, after a change of these fields. */
  retry(directoryId: string, fields: object): Promise<void>
  /** Ends the leases of a directory, so that no event that was read before is sent any more, and sends what is due. */
  reread(directory: Pick<Directory, 'id' | 'tenant'>): Promise<void>
  start(): void
  /** Finishes the deliveries in flight. */
  close(): Promise<void>
}

export function createTargets({ store, tenantOf, endpoints, callbacks, clock }: TargetsParts): Targets {
  const schedulers = callbacks === undefined ? [endpoints] : [endpoints, callbacks]
  const names: readonly DeliveryTarget[] = callbacks === undefined ? ['endpoint'] : ['endpoint', 'on-event']
  return {
    names,
    wake({ id, tenant, endpoint }) {
      if (endpoint !== undefined) endpoints.wake(id, tenant)
      callbacks?.wake(id, tenant)
    },
    async retry(directoryId, fields) {
      const change = directoryUpdated('webhook_url' in fields || 'webhook_headers' in fields, clock())
      const tenant = await tenantOf(directoryId)
      for (const name of names) await store.changeStream(directoryId, name, change)
      for (const scheduler of schedulers) scheduler.retry(directoryId, tenant)
    },
    async reread({ id, tenant }) {
      for (const name of names) await store.changeStream(id, name, { apply: (state) => state, endsLease: true })
      for (const scheduler of schedulers) scheduler.retry(id, tenant)
    },
    start() {
      for (const scheduler of schedulers) scheduler.start()
    },
    async close() {
      await Promise.all(schedulers.map((scheduler) => scheduler.close()))
    },
  }
}
