import type { RetentionStore } from '../../delivery/event-store.ts'
import { removeOldRuns } from '../feed-order.ts'
import {
  attemptsPerStep,
  attemptsThrough,
  decideRemoval,
  decodeRetentionFacts,
  eventsPerStep,
  nextOldestEventAt,
} from '../retention.ts'
import { sendableSequence } from '../streams.ts'
import type { Database } from './database.ts'
import { ofDirectory, oneRow } from './sql.ts'

const facts = `
  select ${sendableSequence} as last_sequence, (d.endpoint_url is not null)::int4 as has_endpoint,
    (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'endpoint')
      as endpoint_delivered,
    (select p.delivered_sequence from delivery_streams p where p.directory_id = d.id and p.target = 'on-event')
      as on_event_delivered,
    (select max(p.delivered_late_at) from delivery_streams p where p.directory_id = d.id) as delivered_late_at,
    e.sequence as step_sequence, e.created_at as step_created_at
  from directories d join directory_state s on s.directory_id = d.id
  left join lateral (
    select sequence, created_at from events where directory_id = d.id and sequence > $2
    order by sequence limit 1 offset ${eventsPerStep - 1}
  ) e on true
  where d.id = $1`

const remove = `
  with step as materialized (
    select sequence, created_at from events where directory_id = $1 and sequence > $2
    order by sequence limit ${eventsPerStep}
  )
  delete from events where ${ofDirectory()} and ctid = any(array(
    select e.ctid from step cross join lateral (
      ${oneRow('events', 'e', 'sequence', 'step.sequence', 'e.ctid')} for update skip locked
    ) e
    where step.created_at < $3 and (step.sequence <= $4 or (step.created_at < $5 and step.sequence <= $6))
      and not exists (select from dead_events x where x.directory_id = $1 and x.sequence = step.sequence)
      and not exists (select from replays x where x.directory_id = $1 and x.sequence = step.sequence)))`

const removeAttempts = `
  delete from delivery_attempts where ${ofDirectory()} and ctid = any(array(
    select ctid from delivery_attempts where directory_id = $1 and last_sequence <= $2 and at < $3
    limit ${attemptsPerStep} for update skip locked))`

const removeRuns = removeOldRuns(
  'select e.sequence from events e where e.directory_id = $1 order by e.sequence limit 1',
)

/** Locks the directory before `settle`, which then sees all events that were committed. */
const lock = 'select directory_id from directory_state where directory_id = $1 for update'

const settle = `
  update directory_state set oldest_event_at = (
    select ${nextOldestEventAt('e.at', '$2::int8')} from (select (
      select created_at from events where directory_id = $1 order by sequence limit 1) as at) e)
  where directory_id = $1`

/** Removes old events on PostgreSQL. */
export function postgresRetention({ transaction }: Database): Pick<RetentionStore, 'removeEvents'> {
  return {
    removeEvents(directoryId, which) {
      const { after, before, abandonedBefore } = which
      return transaction([{ text: facts, values: [directoryId, after] }], ([rows = []]) => {
        const [row] = rows
        if (row === undefined) return { statements: [], answer: undefined }
        const found = decodeRetentionFacts(row)
        const { through, throughAbandoned, next } = decideRemoval(found, which)
        const removing = {
          text: remove,
          values: [directoryId, after, before, through, abandonedBefore, throughAbandoned],
        }
        const attempts = { text: removeAttempts, values: [directoryId, attemptsThrough(found, through), before] }
        const runs = { text: removeRuns, values: [directoryId] }
        const settling = [
          { text: lock, values: [directoryId] },
          { text: settle, values: [directoryId, before] },
        ]
        return { statements: [removing, runs, attempts, ...(next === undefined ? settling : [])], answer: next }
      })
    },
  }
}
