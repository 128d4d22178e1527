import { severityOfNew } from '../diagnostics/health/check-store.ts'
import type { Directory } from '../directory/directory.ts'
import { foldAscii } from './directories.ts'
import type { Statement } from './sql-database.ts'

const makeDue = 'check_at = 0, checks = checks + 1'

const check = `update directory_health set ${makeDue} where directory_id = $1`

/**
 * The statement that makes a check of a directory's health due. Each transaction that changes a fact of the health has it, as its last
 * statement: several transactions may lock the row, and the one that has it must not wait for another one.
 */
export function checkHealth(directoryId: string): Statement {
  return { text: check, values: [directoryId] }
}

const create = `
  insert into directory_health (directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at,
    deactivated, severity, check_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, ${severityOfNew}, 0)`

/** The statement that stores the health of a new directory. */
export function createHealth({
  id,
  tenant,
  product,
  directoryType,
  name,
  createdAt,
  deactivated,
}: Directory): Statement {
  const folded = [foldAscii(tenant), product, directoryType, foldAscii(name)]
  return { text: create, values: [id, tenant, ...folded, createdAt, Number(deactivated)] }
}

const update = `
  update directory_health set directory_type = $2, name_folded = $3, deactivated = $4, ${makeDue} where directory_id = $1`

/** The statement that follows a change of a directory's record, in place of `checkHealth`. */
export function updateHealth({ id, directoryType, name, deactivated }: Directory): Statement {
  return { text: update, values: [id, directoryType, foldAscii(name), Number(deactivated)] }
}

/** The statement that removes the health of a deleted directory. */
export function removeHealth(directoryId: string): Statement {
  return { text: 'delete from directory_health where directory_id = $1', values: [directoryId] }
}
