import { behaviorsIn, isChange } from '../../../directory/behaviors.ts'
import type { UnnumberedEvent } from '../../events.ts'
import { minuteOf } from '../../volumes.ts'
import { sequenceOf } from '../numbers.ts'
import { events, eventVolumes } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'

/** Writes the events of a commit in their order, counts them by minute, and notes what they show of the identity provider. */
export function writeEvents(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  writeStepEvents(recorded, writes)
  countByMinute(recorded, writes)
}

/** As `writeEvents`, for events that show nothing of the identity provider, such as those of a resync. */
export function writeOwnEvents(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  writeRows(recorded, writes)
  countByMinute(recorded, writes)
}

/** As `writeEvents`, for a step of a large change: its events are counted when they are published. */
export function writeStepEvents(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  writeRows(recorded, writes)
  const { state } = writes
  for (const event of recorded) {
    const { createdAt } = event
    if (isChange(event)) state.changedAt = Math.max(createdAt, state.changedAt ?? 0)
    for (const behavior of behaviorsIn([event])) state.behaviors.set(behavior, createdAt)
  }
}

/** Counts the events of a minute. */
export function countEvents(minute: number, count: number, writes: WriteCollection): void {
  writes.write('add', eventVolumes, { minute, events: count, failed_deliveries: 0 })
}

function countByMinute(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  const byMinute = Map.groupBy(recorded, ({ createdAt }) => minuteOf(createdAt))
  for (const [minute, { length }] of byMinute) countEvents(minute, length, writes)
}

function writeRows(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  for (const event of recorded) {
    writes.state.events += 1
    const { id, eventType, createdAt, requestId, traceContext = null, groupId = null, data, changes = null } = event
    writes.write('insert', events, {
      ...{ sequence: sequenceOf(writes.state.events), id, event_type: eventType, created_at: createdAt },
      ...{ request_id: requestId, trace_context: traceContext, group_id: groupId, data, changes },
    })
  }
}
