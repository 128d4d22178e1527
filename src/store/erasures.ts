import { callerKinds } from '../directory/audit.ts'
import type { ErasedPlaces, ErasurePlan, ErasureRecord, PrivacyStore } from '../privacy/privacy-store.ts'
import { entryAfter, lockAuditHead } from './audit-chain.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { erasureLocation } from './sealing.ts'
import type { Conclusion, SqlDatabase } from './sql-database.ts'

const columns = 'id, tenant, product, started_at, caller_kind, caller_id, caller_name, reason, places'

const add = `insert into erasures (${columns}, plan) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
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
  { query, atomically, transaction }: SqlDatabase,
  { seal, open: unseal }: Sealing,
): Pick<
  PrivacyStore,
  | 'addErasure'
  | 'dropErasure'
  | 'finishErasure'
  | 'changeErasureTexts'
  | 'isErasureFinished'
  | 'openErasures'
  | 'listErasures'
> {
  return {
    async addErasure({ plan, places, ...erasure }) {
      const { id, tenant, product, startedAt, callerKind, callerId, callerName, reason } = erasure
      const sealed = seal(JSON.stringify(plan), erasureLocation(id))
      const by = [callerKind, callerId ?? null, callerName ?? null, reason ?? null]
      await atomically([{ text: add, values: [id, tenant, product, startedAt, ...by, JSON.stringify(places), sealed] }])
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
        const record = decodeErasure(row)
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
        ...decodeErasure(row),
        finishedAt: integer(row, 'finished_at'),
        receipt: text(row, 'receipt'),
      }))
    },
  }
}

function decodeErasure(row: Row): ErasureRecord {
  return {
    id: text(row, 'id'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
    startedAt: integer(row, 'started_at'),
    callerKind: oneOf(row, 'caller_kind', callerKinds),
    callerId: optionalText(row, 'caller_id'),
    callerName: optionalText(row, 'caller_name'),
    reason: optionalText(row, 'reason'),
    places: JSON.parse(text(row, 'places')) as ErasedPlaces,
  }
}
