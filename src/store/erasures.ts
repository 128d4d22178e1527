import { callerKinds } from '../directory/audit.ts'
import type { EventDraft, StoredEvent } from '../directory/event.ts'
import type { ErasedPlaces, ErasurePlan, ErasureRecord, PrivacyStore } from '../privacy/privacy-store.ts'
import { toJsonText } from '../scim/json-text.ts'
import { entryAfter, lockAuditHead } from './audit-chain.ts'
import type { UnnumberedEvent } from './events.ts'
import { identifyEvent } from './events.ts'
import { fields, recordOf } from './record.ts'
import { integer, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { erasureLocation } from './sealing.ts'
import type { Conclusion, SqlDatabase, Statement } from './sql-database.ts'
import { resourceOfEvent } from './trace.ts'
import type { Batch, Commit } from './write/batch.ts'
import { writeOwnEvents } from './write/effects/events.ts'
import { WriteCollection } from './write/writes.ts'

const erasures = recordOf<ErasureRecord>({
  id: fields.text,
  tenant: fields.text,
  product: fields.text,
  startedAt: fields.integer,
  callerKind: fields.oneOf(callerKinds),
  callerId: fields.optionalText,
  callerName: fields.optionalText,
  reason: fields.optionalText,
  places: fields.json<ErasedPlaces>(),
})
const { columns } = erasures

const add = `insert into erasures (plan, ${columns}) values ($1, ${erasures.parameters(2)})`
const drop = 'delete from erasures where id = $1 and finished_at is null'
const open = `select ${columns}, plan from erasures where finished_at is null order by id limit $1`
const isOpen = 'select id from erasures where id = $1 and finished_at is null for update'
const isFinished = 'select id from erasures where id = $1 and finished_at is not null'
const finish = 'update erasures set finished_at = $2, places = $3, receipt = $4, plan = null where id = $1'
const replaceTexts = 'update erasures set reason = $2, caller_name = $3 where id = $1'
const list = `
  select ${columns}, finished_at, receipt from erasures
  where tenant = $1 and product = $2 and finished_at is not null and (started_at, id) < ($3, $4)
  order by started_at desc, id desc limit $5`
const listAll = `
  select ${columns}, finished_at, receipt from erasures
  where finished_at is not null and (started_at, id) < ($1, $2)
  order by started_at desc, id desc limit $3`

/** Erasures of persons. */
export function createErasureStore(
  { query, atomically, transaction, dialect }: SqlDatabase,
  { seal, open: unseal }: Sealing,
  commit: Commit,
): Pick<
  PrivacyStore,
  | 'appendErased'
  | 'addErasure'
  | 'dropErasure'
  | 'finishErasure'
  | 'changeErasureTexts'
  | 'isErasureFinished'
  | 'openErasures'
  | 'listErasures'
> {
  // Few events are about one user: sorting them leaves no other index to choose.
  const lastEvent = `
    select event_type from events e ${dialect.indexedBy('events_by_resource')}
    where ${resourceOfEvent('e')} = $2 and e.directory_id = $1 order by (e.sequence + 0) desc limit 1`
  return {
    async appendErased({ directoryId, userId }, cause) {
      const read = { text: lastEvent, values: [directoryId, erasedResource(userId)] }
      const appended = await commit(erasedBatch(directoryId, read, identifyEvent(erasedEvent(userId), cause)))
      return appended === 'directory-changed' ? undefined : appended
    },
    async addErasure({ plan, ...erasure }) {
      const sealed = seal(JSON.stringify(plan), erasureLocation(erasure.id))
      await atomically([{ text: add, values: [sealed, ...erasures.values(erasure)] }])
    },
    async dropErasure(id) {
      await atomically([{ text: drop, values: [id] }])
    },
    finishErasure: (id, { at, places, receipt }, audit) =>
      transaction([{ text: isOpen, values: [id] }, lockAuditHead], ([found, head]): Conclusion<boolean> => {
        if (found?.length !== 1) return { statements: [], answer: false }
        const finished = { text: finish, values: [id, at, JSON.stringify(places), receipt] }
        return { statements: [finished, ...entryAfter(head, audit).statements], answer: true }
      }),
    async changeErasureTexts(id, { reason, callerName }) {
      await atomically([{ text: replaceTexts, values: [id, reason ?? null, callerName ?? null] }])
    },
    isErasureFinished: async (id) => (await query({ text: isFinished, values: [id] })).length > 0,
    async openErasures(limit) {
      const rows = await query({ text: open, values: [limit] })
      return rows.map((row) => {
        const record = erasures.decode(row)
        return { ...record, plan: JSON.parse(unseal(text(row, 'plan'), erasureLocation(record.id))) as ErasurePlan }
      })
    },
    async listErasures(scope, before, limit) {
      const page = [before?.startedAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', limit]
      const rows = await query(
        scope === undefined
          ? { text: listAll, values: page }
          : { text: list, values: [scope.tenant, scope.product, ...page] },
      )
      return rows.map((row) => ({
        ...erasures.decode(row),
        finishedAt: integer(row, 'finished_at'),
        receipt: text(row, 'receipt'),
      }))
    },
  }
}

/** Appends an event, unless the last one about its user is such an event. */
function erasedBatch(id: string, lastEvent: Statement, event: UnnumberedEvent): Batch<StoredEvent | undefined> {
  return {
    directory: { id },
    request: { reads: { lastEvent } },
    decide({ rows }) {
      const writes = new WriteCollection()
      const last = rows['lastEvent']?.[0]
      if (last !== undefined && text(last, 'event_type') === event.eventType) {
        return { writes, answer: () => undefined }
      }
      writeOwnEvents([event], writes)
      return { writes, answer: (lastSequence) => ({ ...event, sequence: lastSequence + 1 }) }
    },
  }
}

/** The last event about a person, by which the product erases, too. */
function erasedEvent(userId: string): EventDraft {
  return { eventType: 'user.erased', data: toJsonText({ id: userId, erased: true }) }
}

/** The value of `resourceOfEvent` for erased events about a user: ids that the service did not give have another length. */
function erasedResource(userId: string): string {
  return erasedEvent(userId).data.slice(7, 43)
}
