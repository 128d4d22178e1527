import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { groupColumns } from './groups.ts'
import { createRemoveStep } from './remove-rows.ts'
import { integer, text } from './row.ts'
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
  adoption_accounts: ['list', 'account_id'],
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

/** The tables of the events that are kept for a while. The feed of the product finds new events by their volumes. */
const ofEvents: ReadonlySet<string> = new Set(['event_volumes', 'feed_runs', 'events'])

/** Small tables, or those that cascade from the directory's own row, of which nothing may be kept with the events. */
const small = [
  ...['oauth_clients', 'removal_windows', 'directory_mappings', 'mapping_runs', 'role_counts', 'resyncs', 'imports'],
  ...['deprovision_times', 'request_logs', 'directory_activity', 'pending_authorizations', 'adoptions'],
]

const next: Statement = {
  text: 'select id, product, leaving from directories where deleted = 1 and leaving < 2 order by id limit 1',
  values: [],
}

const isEmpty = (tables: readonly string[]) =>
  tables.map((table) => `and not exists (select 1 from ${table} t where t.directory_id = d.id)`).join('\n  ')

/** Deletes the directory's row once no other rows are left, including those that another process is just deleting. */
const drop = `
  delete from directories as d where d.id = $1 and d.leaving = 0
  ${isEmpty([...Object.keys(keys), 'users', 'groups'])}
  returning id`

/** Notes that only the events of a directory are left. */
const keepEvents = `
  update directories as d set leaving = 2 where d.id = $1 and (d.leaving + 0) = 1
  ${isEmpty([...Object.keys(keys).filter((table) => !ofEvents.has(table)), 'users', 'groups'])}
  returning id`

/** Events that were held when the directory was deleted, or that an unfinished change has left. */
const discardedEvents = `
  select e.sequence from events e where e.directory_id = $1
    and e.sequence > (select s.last_sequence from directory_state s where s.directory_id = $1)
  order by e.sequence limit 1`
const discard = 'delete from events where directory_id = $1 and sequence >= $2 and sequence < $3'
const discardedPerStep = 500

/** The time to wait for another process that purges the same directory. */
const otherProcessPauseMs = 50

/**
 * Purges the directories that are deleted by now, in small steps between other work; of those that are leaving, all but the events. Several
 * call continues where one stopped.
 */
export async function purgeDeleted(database: SqlDatabase, isStopped: () => boolean = () => false): Promise<void> {
  const { query, atomically } = database
  const removeResources = (['user', 'group'] as const).map((kind) => createRemoveResources(database, kind))
  const removeSteps = Object.entries(keys).map(([table, key]) => ({
    table,
    remove: createRemoveStep(database, { table, of: ['directory_id'], key }),
  }))
  const discardStep = async (id: string): Promise<boolean> => {
    const [first] = await query({ text: discardedEvents, values: [id] })
    const from = first && integer(first, 'sequence')
    if (from === undefined) return false
    await atomically([{ text: discard, values: [id, from, from + discardedPerStep] }])
    return true
  }
  for (let [row] = await query(next); row !== undefined; [row] = await query(next)) {
    const [id, product] = [text(row, 'id'), text(row, 'product')]
    const keepsEvents = integer(row, 'leaving') > 0
    const steps = [
      ...removeResources.map((remove) => () => remove(id, product)),
      ...removeSteps.flatMap(({ table, remove }) => (keepsEvents && ofEvents.has(table) ? [] : () => remove([id]))),
      ...(keepsEvents ? [() => discardStep(id)] : []),
    ]
    for (const step of steps) while (!isStopped() && (await step())) await nextTurn()
    if (isStopped()) return
    const rest = keepsEvents ? small.map((table) => `delete from ${table} where directory_id = $1`) : []
    const ended = await atomically(
      [...rest, keepsEvents ? keepEvents : drop].map((one) => ({ text: one, values: [id] })),
    )
    if (ended.at(-1)?.length === 0) await pause(otherProcessPauseMs)
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
