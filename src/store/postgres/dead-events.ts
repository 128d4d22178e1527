import type { EventStore, Lease } from '../../delivery/store.ts'
import { decodeEvent, storedEventColumns } from '../events.ts'
import type { StreamWrites } from '../streams.ts'
import { decodeDeadEvent } from '../streams.ts'
import { createAuditedWrite } from './audit.ts'
import type { Database, Statement } from './database.ts'
import type { Reader } from './reader.ts'

const addDead = `
  insert into dead_events (directory_id, target, sequence, died_at, reason) values ($1, $2, $3, $4, $5)
  on conflict (directory_id, target, sequence) do update set died_at = excluded.died_at, reason = excluded.reason`
const removeDead = 'delete from dead_events where directory_id = $1 and target = $2 and sequence = any($3::int8[])'
const removeReplays = 'delete from replays where directory_id = $1 and target = $2 and sequence = any($3::int8[])'
const addReplay = `
  insert into replays (directory_id, target, sequence, requested_at)
  select e.directory_id, $2, e.sequence, $4 from events e where e.directory_id = $1 and e.sequence = $3
  on conflict (directory_id, target, sequence) do update set requested_at = excluded.requested_at
  returning sequence`

const joinEvents = (table: string) => `
  from ${table} x join events e on e.directory_id = x.directory_id and e.sequence = x.sequence
  where x.directory_id = $1 and x.target = $2 and x.sequence > $3 order by x.sequence limit $4`
const dead = `select x.died_at, x.reason, ${storedEventColumns} ${joinEvents('dead_events')}`
const replays = `select ${storedEventColumns} ${joinEvents('replays')}`

/** Dead events and requested replays on PostgreSQL. */
export function postgresDeadEvents(
  database: Database,
  { rows }: Reader,
): Pick<EventStore, 'deadEvents' | 'requestReplay' | 'requestedReplays'> {
  const write = createAuditedWrite(database)
  return {
    async deadEvents(directoryId, target, after, limit) {
      return (await rows({ text: dead, values: [directoryId, target, after, limit] })).map(decodeDeadEvent)
    },
    async requestReplay(directoryId, target, sequence, at, audit) {
      const added = await write({ text: addReplay, values: [directoryId, target, sequence, at] }, audit)
      return added.length === 1
    },
    async requestedReplays(directoryId, target, limit) {
      return (await rows({ text: replays, values: [directoryId, target, 0, limit] })).map(decodeEvent)
    },
  }
}

/** The statements that write dead events and end replays. */
export function deadEventStatements(
  { directoryId, target }: Lease,
  { newDeadEvents, endedReplays, revived }: StreamWrites,
): Statement[] {
  const remove = (text: string, sequences: readonly number[]): Statement[] =>
    sequences.length === 0 ? [] : [{ text, values: [directoryId, target, sequences] }]
  return [
    ...newDeadEvents.map(({ sequence, diedAt, reason }) => ({
      text: addDead,
      values: [directoryId, target, sequence, diedAt, reason],
    })),
    ...remove(removeReplays, endedReplays),
    ...remove(removeDead, revived),
  ]
}
