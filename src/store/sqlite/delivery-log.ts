import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryLogStore } from '../../delivery/log/delivery-log-store.ts'
import {
  decodeDelivery,
  decodeLogPage,
  decodeSkipped,
  deliveryColumns,
  deliveryValues,
  logScopeValues,
} from '../delivery-log.ts'
import { maxEventBytes } from '../events.ts'
import { optionalText } from '../row.ts'
import type { AppendAudit } from './audit.ts'
import { readBounded } from './bounded-rows.ts'
import type { GroupCommit } from './group-commit.ts'

const columns = deliveryColumns.join(', ')
const ownColumns = deliveryColumns.map((column) => `l.${column}`).join(', ')
const values = deliveryColumns.map(() => '?').join(', ')

const byDirectory = 'deliveries l indexed by deliveries_by_directory'
const byScope = 'deliveries l indexed by deliveries_by_scope'
const ofDirectory = 'l.directory_id = ?'
const ofScope = 'l.tenant = ? and l.product = ?'

/** The delivery log on SQLite. */
export function sqliteDeliveryLog(
  db: DatabaseSync,
  { write }: GroupCommit,
  appendAudit: AppendAudit,
): DeliveryLogStore {
  const insert = db.prepare(`
    insert into deliveries (directory_id, tenant, product, ${columns})
    select d.id, d.tenant, d.product, ${values} from directories d where d.id = ? and d.deleted = 0
    on conflict do nothing`)
  const remove = db.prepare(`
    delete from deliveries where row_key in (
      select l.row_key from ${byDirectory} where ${ofDirectory} and l.id <= ? order by l.id desc limit ?)`)
  const prune = db.prepare(`
    delete from deliveries where row_key in (
      select l.row_key from deliveries l where l.created_at < ? order by l.created_at limit ?)`)
  const reads = {
    directory: readsOf(db, byDirectory, ofDirectory),
    tenant: readsOf(db, byScope, ofScope),
  }

  return {
    addDeliveries: (directoryId, deliveries) =>
      write(() => {
        for (const delivery of deliveries) insert.run(...deliveryValues(delivery), directoryId)
      }),
    async listDeliveries(scope, before, limit) {
      const { kind, values: key } = logScopeValues(scope)
      const rows = reads[kind].list.iterate(...key, before, limit)
      return decodeLogPage(readBounded(rows, maxEventBytes, (row) => optionalText(row, 'payload')?.length ?? 0))
    },
    async skipDeliveries(scope, before, limit) {
      const { kind, values: key } = logScopeValues(scope)
      return decodeSkipped(reads[kind].skip.get(...key, before, limit))
    },
    async getDelivery(scope, id) {
      const { kind, values: key } = logScopeValues(scope)
      const row = reads[kind].byId.get(...key, id)
      return row && decodeDelivery(row)
    },
    removeDeliveries: (directoryId, newest, limit, audit) =>
      write(() => {
        const removed = Number(remove.run(directoryId, newest, limit).changes)
        if (removed > 0) appendAudit(audit)
        return removed
      }),
    pruneDeliveries: (before, limit) => write(() => Number(prune.run(before, limit).changes)),
  }
}

/** The reads of a scope. Deliveries of deleted directories are read, and then left out. */
function readsOf(db: DatabaseSync, from: string, condition: string) {
  return {
    list: db.prepare(`
      select l.directory_id, ${ownColumns}, d.deleted from ${from} cross join directories d on d.id = l.directory_id
      where ${condition} and l.id < ? order by l.id desc limit ?`),
    skip: db.prepare(`
      select coalesce(sum(d.deleted = 0), 0) as skipped, min(l.id) as last from (
        select l.id, l.directory_id from ${from} where ${condition} and l.id < ? order by l.id desc limit ?) l
      cross join directories d on d.id = l.directory_id`),
    byId: db.prepare(`
      select l.directory_id, ${ownColumns} from ${from} cross join directories d on d.id = l.directory_id
      where ${condition} and l.id = ? and d.deleted = 0`),
  }
}
