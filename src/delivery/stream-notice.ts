import type { Directory } from '../directory/directory.ts'
import type { NoticeDraft } from '../directory/operator-notice.ts'
import type { Batch } from './attempt.ts'
import type { AfterFailure, Failure } from './policy.ts'

const dayMs = 24 * 3_600_000

/** The notice to the operator after a failed attempt: events have become dead, or the stream is paused. */
export function noticeAfterFailure(
  directory: Directory,
  batch: Batch,
  { reason }: Failure,
  { state, dead }: AfterFailure,
  at: number,
): NoticeDraft | undefined {
  const [{ id, sequence, eventType }] = batch
  if (dead.length > 0) {
    const what = dead.length === 1 ? `event ${sequence} (${eventType})` : `${dead.length} events from ${sequence} on`
    return {
      ...{ type: 'directory.event_dead', directory, at },
      message: `The endpoint rejects ${what} (${reason}), so delivery continues without it. Fix the consumer, then replay the event.`,
      details: { sequence, event_id: id, event: eventType, dead_events: dead.length, reason },
    }
  }
  if (state.pause === undefined) return undefined
  const failingSince = state.failingSince ?? at
  const why =
    state.pause.reason === 'gone'
      ? 'the endpoint answered 410 Gone'
      : `the endpoint has accepted nothing for ${Math.floor((at - failingSince) / dayMs)} days (${reason})`
  const message =
    directory.deletedAt === undefined
      ? `Delivery is paused: ${why}. Fix the endpoint or set another one, then resume.`
      : `The last events of this directory, which is deleted, are not sent: ${why}. Read them in the feed.`
  return {
    ...{ type: 'directory.delivery_paused', directory, at },
    message,
    details: { reason: state.pause.reason, sequence, failing_since: new Date(failingSince).toISOString() },
  }
}
