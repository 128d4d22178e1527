import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { groupColumns } from './groups.ts'
import { createRemoveStep } from './remove-rows.ts'
import { text } from './row.ts'
import { decodeOwners, listNumber, sequenceBits, termStep } from './search-terms.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { within } from './sql-database.ts'
import { userColumns } from './users.ts'

/**
 * The tables with a directory's rows besides users and groups, referenced ones last, with the rest of a key that begins with the directory.
 * The others cascade from the directory's own row.
 */
const keys = {
  deliveries: ['id'],
  request_batches: ['position'],
  refused_subjects: ['position'],
  request_bodies: ['position'],
  delivery_attempts: ['last_sequence', 'target', 'attempt', 'at'],
  held_deletions: ['run_id', 'kind', 'id'],
  deprovisionings: ['sequence'],
  event_volumes: ['minute'],
  feed_runs: ['last_sequence'],
  deleted_users: ['user_id'],
  removed_users: ['user_id'],
  removed_memberships: ['group_id', 'member_id'],
  events: ['sequence'],
  members: ['group_id', 'member_id'],
  user_roles: ['role', 'position'],
  user_emails: ['email', 'user_id'],
  list_counts: ['list_name', 'bucket'],
}

/** The users and groups of a directory, whose terms are found by them. */
const resources = {
  user: { table: 'users', alias: 'u', columns: userColumns, name: 'user_name_folded' },
  group: { table: 'groups', alias: 'g', columns: groupColumns, name: 'name_folded' },
} as const

const next: Statement = {
  text: 'select id, product from directories where deleted = 1 order by id limit 1',
  values: [],
}

/** Deletes the directory's row once no other rows are left, including those that another process is just deleting. */
const drop = `
  delete from directories as d where d.id = $1
  ${[...Object.keys(keys), 'users', 'groups'].map((table) => `and not exists (select 1 from ${table} t where t.directory_id = d.id)`).join('\n  ')}
  returning id`

/** The time to wait for another process that purges the same directory. */
const otherProcessPauseMs = 50

/**
 * Purges the directories that are deleted by now, in small steps between other work. Several processes may do so concurrently; the next
 * call continues where one stopped.
 */
export async function purgeDeleted(database: SqlDatabase, isStopped: () => boolean = () => false): Promise<void> {
  const { query, atomically } = database
  const removeResources = (['user', 'group'] as const).map((kind) => createRemoveResources(database, kind))
  const removeSteps = Object.entries(keys).map(([table, key]) =>
    createRemoveStep(database, { table, of: ['directory_id'], key }),
  )
  for (let [row] = await query(next); row !== undefined; [row] = await query(next)) {
    const [id, product] = [text(row, 'id'), text(row, 'product')]
    const steps = [
      ...removeResources.map((remove) => () => remove(id, product)),
      ...removeSteps.map((remove) => () => remove([id])),
    ]
    for (const step of steps) while (!isStopped() && (await step())) await nextTurn()
    if (isStopped()) return
    const [dropped = []] = await atomically([{ text: drop, values: [id] }])
    if (dropped.length === 0) await pause(otherProcessPauseMs)
  }
}

/** Makes a function that removes some users or groups of a directory with their terms, and returns whether there were any. */
function createRemoveResources({ query, atomically, dialect: { joinOne } }: SqlDatabase, kind: keyof typeof resources) {
  const { table, alias, columns, name } = resources[kind]
  const sizes = `
    select r.directory_id, r.id, r.${name} as name, octet_length(r.raw) as bytes from ${table} r
    where r.directory_id = $1 and r.${name} >= '' order by r.${name} limit ${termStep.rows}`
  const page = `
    select ${columns} from ${within(sizes, 'k.name', termStep.bytes)}
    ${joinOne(table, alias, `${alias}.directory_id = k.directory_id and ${alias}.id = k.id`)}`
  const removeTerm = `
    delete from search_terms where list = $2 and term = $3
    and row_key = ((select d.number from directories d where d.id = $1) << ${sequenceBits}) + $4`
  const remove = `delete from ${table} where directory_id = $1 and id = $2`
  return async (id: string, product: string): Promise<boolean> => {
    const rows = await query({ text: page, values: [id] })
    const list = listNumber(product, kind)
    const statements = decodeOwners(kind, rows).flatMap((owner) => [
      ...owner.terms.map(({ term }) => ({ text: removeTerm, values: [id, list, term, owner.sequence] })),
      { text: remove, values: [id, owner.id] },
    ])
    if (statements.length > 0) await atomically(statements)
    return rows.length > 0
  }
}
