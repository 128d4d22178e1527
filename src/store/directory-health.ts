import type {
  CheckedHealth,
  DueCheck,
  DueChecksInput,
  HealthCheckStore,
  HealthCount,
  HealthFilter,
  HealthListPart,
  HealthListStore,
  HealthOrder,
  HealthPosition,
} from '../diagnostics/health/health-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import type { IsEventAt } from './feed.ts'
import type { Row } from './row.ts'
import { boolean, integer, optionalInteger, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'

const marked = `
  select m.directory_id, m.id, h.checks
  from (select directory_id, id from health_marks order by directory_id limit $1) m
  left join directory_health h on h.directory_id = m.directory_id`

const timed = 'select directory_id, checks from directory_health where check_at <= $1 order by check_at limit $2'

const countMarks = 'select count(*) as n from (select 1 from health_marks limit $1) m'

const save = `
  update directory_health set severity = $3, held = $4, overdue = $5, behind = $6, check_at = $7, checks = checks + 1
  where directory_id = $1 and checks = $2 returning directory_id`

const unmark = 'delete from health_marks where directory_id = $1 and id = $2'

/** The health of directories, as checks have decided it. */
export function createDirectoryHealthStore(
  database: SqlDatabase,
  isEventAt: IsEventAt,
): HealthCheckStore & HealthListStore {
  const { query, transaction } = database
  return {
    dueChecks: createDueChecks(database, isEventAt),
    async countHealthMarks(limit) {
      const [row = {}] = await query({ text: countMarks, values: [limit] })
      return integer(row, 'n')
    },
    // In the order of ids, so that two processes do not wait for each other.
    async saveChecks(checked) {
      const inOrder = checked.toSorted((a, b) => (a.directoryId < b.directoryId ? -1 : 1))
      await transaction(inOrder.map(saving), (rows) => {
        const done = inOrder.filter(({ severity }, index) => severity === undefined || (rows[index] ?? []).length > 0)
        const statements = done.flatMap(({ directoryId, marks }) =>
          marks.map((id) => ({ text: unmark, values: [directoryId, id] })),
        )
        return { statements, answer: undefined }
      })
    },
    ...createHealthLists(database),
  }
}

/** The row of a deleted directory is gone, and its marks are removed in any case. */
function saving({ directoryId, checks, severity, isHeld, isOverdue, isBehind, checkAt }: CheckedHealth): Statement {
  const flags = [isHeld, isOverdue, isBehind].map(Number)
  return { text: save, values: [directoryId, checks ?? -1, severity ?? 0, ...flags, checkAt ?? null] }
}

function createDueChecks({ query, dialect }: SqlDatabase, isEventAt: IsEventAt): HealthCheckStore['dueChecks'] {
  const late = `
    select distinct h.directory_id, h.checks
    from (
      select directory_id from deprovisionings ${dialect.indexedBy('deprovisionings_unreported')}
      where reported = 0 and received_at <= $1 order by received_at limit $2) x
    join directory_health h on h.directory_id = x.directory_id
    where h.overdue = 0`
  const working = `
    select s.directory_id, h.checks, case when h.behind = 0 and h.held = 0 and h.deactivated = 0
      and p.paused_at is null and coalesce(p.failures, 0) = 0 and exists (
        select 1 from events e where ${isEventAt('coalesce(p.delivered_sequence, 0) + 1')} and e.created_at <= $3)
      then 1 else 0 end as is_waiting
    from (
      select * from directory_state ${dialect.indexedBy('directory_state_endpoint_work')}
      where endpoint_work > 0 and directory_id > $1 order by directory_id limit $2) s
    join directory_health h on h.directory_id = s.directory_id
    left join delivery_streams p on p.directory_id = s.directory_id and p.target = 'endpoint'
    order by s.directory_id`
  return async ({ now, overdueUntil, waitingUntil, workAfter, limit }: DueChecksInput) => {
    const marks = await query({ text: marked, values: [limit] })
    const others = [
      await query({ text: timed, values: [now, limit] }),
      await query({ text: late, values: [overdueUntil, limit] }),
    ]
    const work = await query({ text: working, values: [workAfter, limit, waitingUntil] })
    const last = work.length < limit ? undefined : work.at(-1)
    const due = new Map<string, DueCheck>()
    for (const row of [...others.flat(), ...work.filter((one) => boolean(one, 'is_waiting'))]) add(due, row, [])
    for (const row of marks) add(due, row, [row['id']])
    return { due: [...due.values()], workAfter: last === undefined ? '' : text(last, 'directory_id') }
  }
}

function add(due: Map<string, DueCheck>, row: Row, marks: readonly unknown[]): void {
  const directoryId = text(row, 'directory_id')
  const checks = optionalInteger(row, 'checks')
  due.set(directoryId, { directoryId, checks, marks: [...(due.get(directoryId)?.marks ?? []), ...marks] })
}

/** The column that each order is by. */
const orderColumns = {
  created: 'created_at',
  worst: 'severity',
  name: 'name_folded',
  changed: 'event_minute',
} as const satisfies Record<HealthOrder, string>

type Condition = readonly [sql: (parameter: string) => string, value: unknown]

function createHealthLists({ query }: SqlDatabase): HealthListStore {
  return {
    async countHealth(scope) {
      const { text: conditions, values } = conditionsOf(scopeConditions(scope), 1)
      const found = await query({
        text: `
          ${sourceOf(scope)}
          select severity, held, deactivated, count(*) as directories from ${tableOf(scope)} h where ${conditions}
          group by severity, held, deactivated order by severity`,
        values,
      })
      return found.map(decodeCount)
    },
    async listHealth(filter, part) {
      return (await query(listStatement(filter, part))).map((row) => decodePosition(row, part.order))
    },
    async countOverdue(scope, until, limit) {
      const { text: conditions, values } = conditionsOf(scopeConditions(scope), 3)
      const counted = `
        select count(*) as n from (
          select 1 from directory_health h join deprovisionings x on x.directory_id = h.directory_id
          where h.overdue = 1 and x.received_at <= $1 and ${conditions} limit $2) o`
      const [row = {}] = await query({ text: counted, values: [until, limit, ...values] })
      return integer(row, 'n')
    },
  }
}

/**
 * The directories of a tenant are few: they are read first, and then sorted. Otherwise an index has the order, and the columns
 * that are filtered by.
 */
function sourceOf({ tenant }: DirectoryScope): string {
  return tenant === undefined ? '' : 'with found as materialized (select * from directory_health where tenant = $1)'
}

function tableOf({ tenant }: DirectoryScope): string {
  return tenant === undefined ? 'directory_health' : 'found'
}

function listStatement(filter: HealthFilter, { order, after, offset = 0, limit }: HealthListPart): Statement {
  const column = orderColumns[order]
  const [direction, comparison] = order === 'changed' ? ['desc', '<'] : ['asc', '>']
  const { severities, type, isHeld, isDeactivated } = filter
  const conditions: Condition[] = scopeConditions(filter)
  if (severities !== undefined) {
    conditions.push([(n) => `h.severity >= ${n}`, severities.from], [(n) => `h.severity < ${n}`, severities.to])
  }
  if (type !== undefined) conditions.push([(n) => `h.directory_type = ${n}`, type])
  if (isHeld !== undefined) conditions.push([(n) => `h.held = ${n}`, Number(isHeld)])
  if (isDeactivated !== undefined) conditions.push([(n) => `h.deactivated = ${n}`, Number(isDeactivated)])
  const { text: where, values } = conditionsOf(conditions, 1)
  const position = after === undefined ? [] : [after.value, after.id]
  const next = values.length + 1
  const from = after === undefined ? '' : `and (h.${column}, h.directory_id) ${comparison} ($${next}, $${next + 1})`
  const page = next + position.length
  return {
    text: `
      ${sourceOf(filter)}
      select h.directory_id, h.${column} as value from ${tableOf(filter)} h where ${where} ${from}
      order by h.${column} ${direction}, h.directory_id ${direction} limit $${page} offset $${page + 1}`,
    values: [...values, ...position, limit, offset],
  }
}

/** The condition on the tenant is first: see `sourceOf`. */
function scopeConditions({ tenant, product, directoryId }: DirectoryScope): Condition[] {
  const conditions: Condition[] = []
  if (tenant !== undefined) conditions.push([(n) => `h.tenant = ${n}`, tenant])
  if (product !== undefined) conditions.push([(n) => `h.product = ${n}`, product])
  if (directoryId !== undefined) conditions.push([(n) => `h.directory_id = ${n}`, directoryId])
  return conditions
}

function conditionsOf(conditions: readonly Condition[], first: number) {
  const texts = conditions.map(([sql], index) => sql(`$${first + index}`))
  return { text: texts.length === 0 ? '1 = 1' : texts.join(' and '), values: conditions.map(([, value]) => value) }
}

function decodeCount(row: Row): HealthCount {
  return {
    severity: integer(row, 'severity'),
    isHeld: boolean(row, 'held'),
    isDeactivated: boolean(row, 'deactivated'),
    directories: integer(row, 'directories'),
  }
}

function decodePosition(row: Row, order: HealthOrder): HealthPosition {
  const value = order === 'name' ? text(row, 'value') : integer(row, 'value')
  return { id: text(row, 'directory_id'), value }
}
