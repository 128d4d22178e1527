import type { DeadEvent, DeliveryTarget, EventStore } from '../../delivery/event-store.ts'
import { writeAudited } from '../audit-chain.ts'
import { decodeEvent, storedEventColumns } from '../events.ts'
import type { StreamWrites } from '../streams.ts'
import { addsWork, deadEventColumns, decodeDeadEvent } from '../streams.ts'
import type { Database, Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import type { Reader } from './reader.ts'
import { arrayParameters, columnsOf, rowBy } from './sql.ts'

const addReplay = (target: DeliveryTarget) => `
  with added as (
    insert into replays (directory_id, target, sequence, requested_at)
    select e.directory_id, $2, e.sequence, $4 from events e where e.directory_id = $1 and e.sequence = $3
    on conflict (directory_id, target, sequence) do update set requested_at = excluded.requested_at
    returning sequence
  ), working as (
    update directory_state set ${addsWork(target)} where directory_id = $1 and exists (select from added)
  )
  select sequence from added`

const joinEvents = (table: string) => `
  from ${table} x ${rowBy('events', 'e', 'sequence', 'x.sequence')}
  where x.directory_id = $1 and x.target = $2 and x.sequence > $3 order by x.sequence limit $4`
const dead = `select ${deadEventColumns}, ${storedEventColumns} ${joinEvents('dead_events')}`
const replays = `select ${storedEventColumns} ${joinEvents('replays')}`

/** Dead events and requested replays on PostgreSQL. */
export function postgresDeadEvents(
  database: Database,
  { rows }: Reader,
): Pick<EventStore, 'deadEvents' | 'requestReplay' | 'requestedReplays'> {
  return {
    async deadEvents(directoryId, target, after, limit) {
      return (await rows({ text: dead, values: [directoryId, target, after, limit] })).map(decodeDeadEvent)
    },
    async requestReplay(directoryId, target, sequence, at, audit) {
      const statement = { text: addReplay(target), values: [directoryId, target, sequence, at] }
      const added = await writeAudited(database, statement, audit)
      return added.length === 1
    },
    async requestedReplays(directoryId, target, limit) {
      return (await rows({ text: replays, values: [directoryId, target, 0, limit] })).map(decodeEvent)
    },
  }
}

/** An event that dies again has the last reason. */
const replaceDead = `on conflict (directory_id, target, sequence)
    do update set died_at = excluded.died_at, reason = excluded.reason, skipped = excluded.skipped`

const addDead = `
  insert into dead_events (directory_id, target, sequence, died_at, reason, skipped, tenant, product)
  select d.id, $2, $3, $4, $5, $6, d.tenant, d.product from directories d where d.id = $1
  ${replaceDead}`
const endReplay = 'delete from replays where directory_id = $1 and target = $2 and sequence = $3'

/** The statements that make one event dead. */
export function deadEventStatements(
  directoryId: string,
  target: DeliveryTarget,
  { sequence, diedAt, reason, isSkipped = false }: DeadEvent,
): Statement[] {
  const key = [directoryId, target, sequence]
  return [
    { text: addDead, values: [...key, diedAt, reason, Number(isSkipped)] },
    { text: endReplay, values: key },
  ]
}

/** The types of the columns of new dead events. */
const deadEventTypes = ['int8', 'int8', 'text', 'int4'] as const satisfies readonly ColumnType[]

/**
 * Parts of a statement on the stream of `$1` and `$2` which write dead events and end replays, if `recorded` has a row. The
 * parameters of `writeValues` begin at `first`.
 */
export function writesAfter(recorded: string, first: number): string {
  const sequences = (parameter: number) =>
    `any((select $${parameter}::int8[])::int8[]) and exists (select from ${recorded})`
  return `
  buried as (
    insert into dead_events (directory_id, target, sequence, died_at, reason, skipped, tenant, product)
    select d.id, $2, x.*, d.tenant, d.product
    from ${recorded} cross join unnest(${arrayParameters(first, deadEventTypes)}) x join directories d on d.id = $1
    ${replaceDead}
  ),
  replayed as (
    delete from replays where directory_id = $1 and target = $2 and sequence = ${sequences(first + deadEventTypes.length)}
  ),
  revived as (
    delete from dead_events where directory_id = $1 and target = $2 and sequence = ${sequences(first + deadEventTypes.length + 1)}
  )`
}

/** The number of parameters of `writesAfter`. */
export const deadEventParameters = deadEventTypes.length + 2

/** The values of `writesAfter`. */
export function writeValues({ newDeadEvents, endedReplays, revived }: StreamWrites): unknown[] {
  const columns = columnsOf(
    deadEventTypes,
    newDeadEvents.map(({ sequence, diedAt, reason, isSkipped = false }) => [
      ...[sequence, diedAt, reason, Number(isSkipped)],
    ]),
  )
  return [...columns, endedReplays, revived]
}

/** Whether there are any writes. */
export function hasWrites({ newDeadEvents, endedReplays, revived }: StreamWrites): boolean {
  return newDeadEvents.length + endedReplays.length + revived.length > 0
}
