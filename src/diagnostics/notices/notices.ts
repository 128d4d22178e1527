import type { Schedule } from '../../concurrency/schedule.ts'
import { createEndpointClient } from '../../delivery/endpoint/client.ts'
import type { EgressPolicy } from '../../delivery/endpoint/egress-policy.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { EndpointHeaders } from '../../directory/endpoint-headers.ts'
import type { OperatorNotices } from '../../directory/operator-notice.ts'
import { noNotices } from '../../directory/operator-notice.ts'
import type { NoticeStore } from './notice-store.ts'
import { noticeOf } from './payload.ts'
import { createNoticeSender } from './sender.ts'

export interface NoticeOptions {
  readonly store: NoticeStore
  /** `OPERATOR_WEBHOOK_URL`; undefined: no notices are written or sent. */
  readonly url: string | undefined
  readonly secret: string | undefined
  /** Further headers of the requests, `OPERATOR_WEBHOOK_HEADERS`. */
  readonly headers?: EndpointHeaders | undefined
  readonly timeoutMs: number
  /** The egress policy of endpoints. */
  readonly egress: EgressPolicy
  readonly version: string
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  /** From 0 to 1. */
  readonly random?: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** The notices to the operator, with their sender. */
export interface RunningNotices extends OperatorNotices {
  start(): void
  /** Finishes the attempts in flight. */
  close(): Promise<void>
}

export function createOperatorNotices(options: NoticeOptions): RunningNotices {
  const { store, url, secret, newId, log } = options
  if (url === undefined || secret === undefined) return { ...noNotices, start: () => {}, close: async () => {} }
  const client = createEndpointClient({ timeoutMs: options.timeoutMs, egress: options.egress, connectionsPerHost: 8 })
  const sender = createNoticeSender({ random: Math.random, ...options, client, url, secret })
  return {
    prepare: (draft) => noticeOf(draft, newId()),
    committed: sender.wake,
    async notify(draft) {
      try {
        if (await store.addNotice(noticeOf(draft, newId()))) sender.wake()
      } catch (error) {
        const { type, directory } = draft
        log.error({ directoryId: directory.id, type, err: error }, 'a notice to the operator could not be stored')
      }
    },
    start: sender.start,
    async close() {
      await sender.close()
      await client.close()
    },
  }
}
