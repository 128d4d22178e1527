import { caller } from '../../library/parts.ts'
import { polisDeliveries, polisDelivery } from '../compat/events.ts'
import type { ControllerParts } from './parts.ts'
import { notOffered, thrown } from './response.ts'
import type { PaginationParams, WebhookEventLog } from './types.ts'

interface Scope {
  readonly tenant?: string | undefined
  readonly product?: string | undefined
}

/** `directorySyncController.webhookLogs` */
export function webhookLogsController({ service }: ControllerParts, initial: Scope = {}) {
  let scope = initial
  return {
    setTenantAndProduct(tenant: string, product: string) {
      scope = { tenant, product }
      return webhookLogsController({ service } as ControllerParts, scope)
    },
    /** An entry; null when it is unknown. */
    get: async (id: string): Promise<WebhookEventLog> =>
      (await thrown(() => polisDelivery(service, id, { ...scope }))) as unknown as WebhookEventLog,
    async getAll(
      params: PaginationParams & { directoryId?: string } = {},
    ): Promise<{ data: WebhookEventLog[]; pageToken: string | undefined }> {
      const { data, pageToken } = await thrown(async () => ({
        pageToken: undefined,
        ...(await polisDeliveries(service, { ...scope, ...params })),
      }))
      return { data: data as unknown as WebhookEventLog[], pageToken }
    },
    deleteAll: (directoryId: string): Promise<void> =>
      thrown(() => service.deliveryLog.delete({ ...scope, directoryId }, caller)),
    delete: async (_id: string): Promise<never> =>
      notOffered('webhookLogs.delete', 'delete the log of a directory with deleteAll.'),
    log: async (..._input: unknown[]): Promise<never> =>
      notOffered('webhookLogs.log', 'every delivery is recorded while log_webhook_events is on.'),
  }
}

/** `directorySyncController.events` */
export function eventsController({ service }: ControllerParts) {
  return {
    batch: {
      /** Sends the events that are due. */
      process: (): Promise<void> =>
        thrown(async () => {
          await service.processEvents()
        }),
      /** Nothing is left to do: batches are sent every `webhookBatchCronInterval` seconds by themselves. */
      async scheduleWorker(): Promise<void> {},
      push: async (..._input: unknown[]): Promise<never> =>
        notOffered('events.batch.push', 'events are stored together with the change that causes them.'),
      fetchNextBatch: async (..._input: unknown[]): Promise<never> =>
        notOffered('events.batch.fetchNextBatch', 'read the events of a directory with events.feed of createRollcall.'),
    },
  }
}
