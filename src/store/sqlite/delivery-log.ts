import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryLogStore } from '../../delivery/log/delivery-log-store.ts'
import type { DeliveryReads } from '../delivery-log.ts'
import { decodeLogPage, deliveryColumns, deliveryValues, logScopeValues, readDeliveryColumns } from '../delivery-log.ts'
import { maxEventBytes } from '../events.ts'
import { optionalText } from '../row.ts'
import type { AppendAudit } from './audit.ts'
import { readBounded } from './bounded-rows.ts'
import type { GroupCommit } from './group-commit.ts'

const columns = deliveryColumns.join(', ')
const values = deliveryColumns.map(() => '?').join(', ')

/** The pages and the writes of the delivery log on SQLite. */
export function sqliteDeliveryLog(
  db: DatabaseSync,
  { write }: GroupCommit,
  appendAudit: AppendAudit,
): Omit<DeliveryLogStore, keyof DeliveryReads> {
  const insert = db.prepare(`
    insert into deliveries (directory_id, tenant, product, ${columns})
    select d.id, d.tenant, d.product, ${values} from directories d where d.id = ? and d.deleted = 0
    on conflict do nothing`)
  const remove = db.prepare(`
    delete from deliveries where row_key in (
      select row_key from deliveries indexed by deliveries_by_directory
      where directory_id = ? and id <= ? order by id desc limit ?)`)
  const prune = db.prepare(`
    delete from deliveries where row_key in (
      select l.row_key from deliveries l where l.created_at < ? order by l.created_at limit ?)`)
  const lists = {
    directory: prepareList(db, 'deliveries_by_directory', 'l.directory_id = ?'),
    tenant: prepareList(db, 'deliveries_by_scope', 'l.tenant = ? and l.product = ?'),
    product: prepareList(db, 'deliveries_by_product', "(l.product || '') = ?"),
  }

  return {
    addDeliveries: (directoryId, deliveries) =>
      write(() => {
        for (const delivery of deliveries) insert.run(...deliveryValues(delivery), directoryId)
      }),
    async listDeliveries(scope, before, limit) {
      const { kind, values: key } = logScopeValues(scope)
      const rows = lists[kind].iterate(...key, before, limit)
      return decodeLogPage(readBounded(rows, maxEventBytes, (row) => optionalText(row, 'payload')?.length ?? 0))
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

/** Deliveries of deleted directories are read, and then left out. */
function prepareList(db: DatabaseSync, index: string, condition: string) {
  return db.prepare(`
    select ${readDeliveryColumns}, d.deleted
    from deliveries l indexed by ${index} cross join directories d on d.id = l.directory_id
    where ${condition} and l.id < ? order by l.id desc limit ?`)
}
