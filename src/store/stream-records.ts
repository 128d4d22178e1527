import type {
  DeliveryTarget,
  EventStore,
  Lease,
  Recorded,
  StreamEffects,
  StreamState,
} from '../delivery/event-store.ts'
import { auditStatements, withAuditHead } from './audit-chain.ts'
import { addDeadEvent, endReplay, reviveEvent } from './dead-events.ts'
import { endDeprovisionings, openAmong, recorded } from './deprovisionings.ts'
import { checkHealth } from './health-checks.ts'
import { noticeStatements } from './operator-notices.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { addWork, decodeStream, hasEvents, stateColumns, streamColumnsOf, streamValues } from './streams.ts'
import { addFailure } from './volumes.ts'

/** A change of a stream, as far as the health of its directory may depend on it. */
interface ChangedStream extends Pick<StreamEffects, 'before' | 'dead' | 'replayed'> {
  readonly directoryId: string
  readonly target: DeliveryTarget
  readonly after: StreamState
}

/** The check of a directory's health after a change of its stream; none if the health is the same. */
function checkAfter({ directoryId, target, before, after, dead = [], replayed = [] }: ChangedStream): Statement[] {
  const isSame =
    before?.failures === after.failures &&
    before.pause?.reason === after.pause?.reason &&
    before.pause?.at === after.pause?.at &&
    before.deliveredSequence <= after.deliveredSequence &&
    dead.length + replayed.length === 0
  return isSame || target !== 'endpoint' ? [] : [checkHealth(directoryId)]
}

/** The assignments of `streamValues`, as parameters from `$4` on. */
const assignments = stateColumns.map((column, index) => `${column} = $${index + 4}`).join(', ')

/** Makes sure that there is a row for `lock`. */
const begin = `
  insert into delivery_streams (directory_id, target, delivered_sequence)
  select d.id, $2, 0 from directories d where d.id = $1 and ${hasEvents}
  on conflict (directory_id, target) do nothing`

const lock = `
  select ${streamColumnsOf('p')} from delivery_streams p join directories d on d.id = p.directory_id
  where p.directory_id = $1 and p.target = $2 and ${hasEvents} for update of p`

/** `$3`: 1 if the lease ends. */
const change = `
  update delivery_streams set ${assignments},
    lease_holder = case when $3 = 1 then null else lease_holder end,
    lease_expires_at = case when $3 = 1 then null else lease_expires_at end,
    lease_token = lease_token + $3
  where directory_id = $1 and target = $2`

/** Dead events that the stream is going to send again are dead no longer. */
const reviveAfter = 'delete from dead_events where directory_id = $1 and target = $2 and sequence > $3'

/** Records of the states of streams. */
export function createStreamRecords({
  atomically,
  transaction,
  dialect: { now },
}: SqlDatabase): Pick<EventStore, 'recordStream' | 'changeStream'> {
  /** Writes nothing under an older lease, or one that has expired. */
  const record = `
    update delivery_streams set ${assignments}
    where directory_id = $1 and target = $2 and lease_token = $3 and lease_expires_at > ${now}
    returning directory_id`
  return {
    async recordStream(lease, state, effects = {}) {
      const { directoryId, target, token } = lease
      const { deprovisioned = [] } = effects
      const recording = { text: record, values: [directoryId, target, token, ...streamValues(state)] }
      const following = [...effectsOf(lease, effects), ...checkAfter({ ...lease, ...effects, after: state })]
      if (following.length + deprovisioned.length === 0) {
        const [changed = []] = await atomically([recording])
        return changed.length === 0 ? 'lost' : 'recorded'
      }
      const reading = deprovisioned.length === 0 ? [] : [openAmong(directoryId, deprovisioned)]
      const endOf = new Map(deprovisioned.map(({ sequence, at }) => [sequence, at]))
      return transaction<Recorded | 'lost'>([recording, ...reading], ([changed = [], open = []]) => {
        if (changed.length === 0) return { statements: [], answer: 'lost' }
        const ended = endDeprovisionings(directoryId, open, (sequence) => endOf.get(sequence))
        return { statements: [...ended.statements, ...following], answer: recorded(ended.durations) }
      })
    },
    changeStream(directoryId, target, { apply, endsLease, dead }, audit) {
      const reading = [begin, lock].map((text) => ({ text, values: [directoryId, target] }))
      // The directory is locked before the stream and the end of the audit trail.
      const first = [addWork(target, directoryId), ...reading]
      return transaction(withAuditHead(first, audit), (rows) => {
        const [stream] = rows[2] ?? []
        const before = stream && decodeStream(stream)
        const after = before && apply(before)
        if (after === undefined) return { statements: [], answer: false }
        const died = dead === undefined ? [] : [dead]
        const statements = [
          { text: change, values: [directoryId, target, Number(endsLease), ...streamValues(after)] },
          { text: reviveAfter, values: [directoryId, target, after.deliveredSequence] },
          ...effectsOf({ directoryId, target }, { dead: died }),
          ...auditStatements(rows, audit),
          ...checkAfter({ directoryId, target, before, after, dead: died }),
        ]
        return { statements, answer: true }
      })
    },
  }
}

/** The statements of what a record of a stream writes besides its state. A replay is over when its event was delivered, or has died again. */
function effectsOf(
  stream: Pick<Lease, 'directoryId' | 'target'>,
  { dead = [], replayed = [], notice, failedAt }: StreamEffects,
): Statement[] {
  return [
    ...dead.flatMap((event) => [addDeadEvent(stream, event), endReplay(stream, event.sequence)]),
    ...replayed.flatMap((sequence) => [reviveEvent(stream, sequence), endReplay(stream, sequence)]),
    ...noticeStatements(notice),
    ...(failedAt === undefined ? [] : [addFailure(stream.directoryId, failedAt)]),
  ]
}
