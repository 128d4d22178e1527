import { behaviorsIn, isChange } from '../../../directory/behaviors.ts'
import type { StoredEvent } from '../../../directory/event.ts'
import type { UnnumberedEvent } from '../../events.ts'
import { minuteOf } from '../../volumes.ts'
import type { DirectoryNumber } from '../numbers.ts'
import { sequenceOf } from '../numbers.ts'
import { events, eventVolumes } from '../tables.ts'
import type { WriteCollection } from '../writes.ts'

/** Writes the events of a commit in their order, counts them by minute, and notes what they show of the identity provider. */
export function writeEvents(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  writeOwnEvents(recorded, writes)
  const { state } = writes
  for (const event of recorded) {
    const { createdAt } = event
    if (isChange(event)) state.changedAt = Math.max(createdAt, state.changedAt ?? 0)
    for (const behavior of behaviorsIn([event])) state.behaviors.set(behavior, createdAt)
  }
}

/** As `writeEvents`, for events that show nothing of the identity provider, such as those of a resync. */
export function writeOwnEvents(recorded: readonly UnnumberedEvent[], writes: WriteCollection): void {
  const volumes = new Map<number, number>()
  for (const event of recorded) {
    writes.state.events += 1
    writeRow(event, sequenceOf(writes.state.events), writes)
    const { createdAt } = event
    volumes.set(minuteOf(createdAt), (volumes.get(minuteOf(createdAt)) ?? 0) + 1)
  }
  for (const [minute, count] of volumes) {
    writes.write('add', eventVolumes, { minute, events: count, failed_deliveries: 0 })
  }
}

/** Writes events with the numbers that they have. Nobody sees those after the last sequence number of the directory. */
export function writeStagedEvents(staged: readonly StoredEvent[], writes: WriteCollection): void {
  for (const event of staged) writeRow(event, event.sequence, writes)
}

function writeRow(event: UnnumberedEvent, sequence: number | DirectoryNumber, writes: WriteCollection): void {
  const { id, eventType, createdAt, requestId, traceContext = null, groupId = null, data, changes = null } = event
  writes.write('insert', events, {
    ...{ sequence, id, event_type: eventType, created_at: createdAt },
    ...{ request_id: requestId, trace_context: traceContext, group_id: groupId, data, changes },
  })
}
