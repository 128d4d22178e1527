import type { DirectoryReads } from '../directory/directory-store.ts'
import { decodeListedDirectory } from './directories.ts'
import { boolean, integer, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'
import { noteChange } from './volumes.ts'

/** The order leaves the primary key of users, or groups, to choose. */
const filled = (table: 'users' | 'groups') => `
  select d.id, d.tenant, d.created_at,
    coalesce((select 0 from ${table} r where r.directory_id = d.id order by r.directory_id, r.id limit 1), 1) as is_empty
  from directories d where d.deleted = 0 and (d.product, d.created_at, d.id) >= ($1, $2, $3) and d.product <= $1
  order by d.product, d.created_at, d.id limit $4`

const filledWith = { user: filled('users'), group: filled('groups') }

/** The directories of a product with changes that their health does not show yet. */
const unnoted = `
  select v.directory_id, v.minute from (
    select v.directory_id, max(v.minute) as minute from event_volumes v
    where v.events > 0 or v.failed_deliveries = 0 group by v.directory_id
  ) v
  where v.minute > (
    select case when h.product = $1 then h.event_minute end from directory_health h where h.directory_id = v.directory_id)
  order by v.directory_id`

const changed = `
  select h.directory_id as id, h.tenant, h.created_at, h.event_minute from directory_health h
  where h.product = $1 and h.product >= '' and (h.event_minute, h.directory_id) > ($2, $3)
  order by h.product, h.event_minute, h.directory_id limit $4`

/** Lists of the directories of a product. */
export function createProductDirectories({
  query,
  atomically,
}: SqlDatabase): Pick<DirectoryReads, 'filledDirectories' | 'changedDirectories'> {
  return {
    async filledDirectories(product, kind, { createdAt, id }, limit) {
      const values = [product, createdAt, id, limit]
      const rows = await query({ text: filledWith[kind], values })
      return rows.map((row) => ({ ...decodeListedDirectory(row), isEmpty: boolean(row, 'is_empty') }))
    },
    async changedDirectories(product, { minute, id }, limit) {
      const found = await query({ text: unnoted, values: [product] })
      if (found.length > 0)
        await atomically(found.map((row) => noteChange(text(row, 'directory_id'), integer(row, 'minute'))))
      const rows = await query({ text: changed, values: [product, minute, id, limit] })
      return rows.map((row) => ({ ...decodeListedDirectory(row), minute: integer(row, 'event_minute') }))
    },
  }
}
