import type { Schedule } from '../../concurrency/schedule.ts'
import { createSignal } from '../../concurrency/signal.ts'
import type { EndpointClient } from '../../delivery/endpoint/client.ts'
import { postWithHeaders } from '../../delivery/endpoint/client.ts'
import { directoryHeaders } from '../../delivery/endpoint/directory-headers.ts'
import { signatureHeaders } from '../../delivery/endpoint/signature.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import { outcomeOf, retryBackOffMs } from '../../delivery/policy.ts'
import type { EndpointHeaders } from '../../directory/endpoint-headers.ts'
import type { DueNotice, NoticeOutcome, NoticeStore } from './notice-store.ts'
import { directoryOf } from './payload.ts'

const pollMs = 10_000
const noticesPerStep = 20

/** Time after which an unsent notice is given up, in milliseconds. */
export const maxNoticeAgeMs = 3 * 24 * 3_600_000

export interface NoticeSenderOptions {
  readonly store: Pick<NoticeStore, 'takeDueNotices' | 'settleNotice'>
  readonly client: Pick<EndpointClient, 'post'>
  readonly url: string
  readonly secret: string
  /** Further headers of every request. */
  readonly headers?: EndpointHeaders | undefined
  /** Timeout of an attempt; after it and a margin, other processes try. */
  readonly timeoutMs: number
  /** The version of Rollcall in `user-agent`. */
  readonly version: string
  /** Unix milliseconds. */
  readonly clock: () => number
  /** From 0 to 1. */
  readonly random: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Sends stored notices. Several processes may do so concurrently. */
export interface NoticeSender {
  start(): void
  /** Looks for notices now. */
  wake(): void
  /** Resolves when the attempts in flight have ended. */
  close(): Promise<void>
}

/** The margin after the timeout of an attempt, for recording its outcome. */
const settleMs = 30_000

export function createNoticeSender(options: NoticeSenderOptions): NoticeSender {
  const { store, clock, timeoutMs, schedule, log } = options
  const signal = createSignal(schedule)
  let isClosing = false
  let finished = Promise.resolve()

  async function run(): Promise<void> {
    while (!isClosing) {
      const isMore = await sendSome().catch((error: unknown) => {
        log.error({ err: error }, 'notices to the operator could not be looked up; retrying')
        return false
      })
      if (!isMore && !isClosing) await signal.wait(pollMs)
    }
  }

  /** Sends one page of notices; true if there may be more. */
  async function sendSome(): Promise<boolean> {
    const now = clock()
    const due = await store.takeDueNotices(now, now + timeoutMs + settleMs, noticesPerStep)
    await Promise.all(due.map(async (notice) => store.settleNotice(notice, await send(options, notice))))
    return due.length === noticesPerStep
  }

  return {
    start() {
      finished = run()
    },
    wake: signal.notify,
    close() {
      isClosing = true
      signal.notify()
      return finished
    },
  }
}

async function send(options: NoticeSenderOptions, notice: DueNotice): Promise<NoticeOutcome> {
  const { client, secret, version, clock, random, log } = options
  const { id, payload: body, directoryId, type, attempt } = notice
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Rollcall/${version}`,
    ...directoryHeaders(directoryOf(notice)),
  }
  const signed = signatureHeaders({ id, timestamp: Math.floor(clock() / 1000), body, secrets: [secret] })
  const outcome = outcomeOf(await postWithHeaders(client, options, { ...headers, ...signed }, body))
  const now = clock()
  if (outcome === 'delivered') return { sentAt: now, nextAttemptAt: undefined }
  const isGivenUp = now - notice.createdAt >= maxNoticeAgeMs
  const details = { directoryId, type, attempt, reason: outcome.reason }
  log.warn(
    details,
    `a notice to the operator was not accepted; ${isGivenUp ? 'it will not be sent again' : 'it will be sent again'}`,
  )
  return { sentAt: undefined, nextAttemptAt: isGivenUp ? undefined : now + retryBackOffMs(attempt, random()) }
}
