import type { CheckedHealth, DueCheck, DueChecksInput, HealthCheckStore } from '../diagnostics/health/check-store.ts'
import type {
  HealthCount,
  HealthFilter,
  HealthListPart,
  HealthListStore,
  HealthOrder,
  HealthPosition,
} from '../diagnostics/health/list-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { prefixRange } from './directories.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'

/*
 * What is due is looked up row by row: a join could begin with the directories, which are many more.
 */
const healthOf = (id: string, value: string) => `(select ${value} from directory_health h where h.directory_id = ${id})`
const streamOf = (id: string, value: string) =>
  `(select ${value} from delivery_streams p where p.directory_id = ${id} and p.target = 'endpoint')`

const timed = 'select directory_id, checks from directory_health where check_at <= $1 order by check_at limit $2'

const save = `
  update directory_health set severity = $3, held = $4, overdue = $5, behind = $6, check_at = $7, checks = checks + 1
  where directory_id = $1 and checks = $2`

/** The health of directories, as checks have decided it. */
export function createDirectoryHealthStore(database: SqlDatabase): HealthCheckStore & HealthListStore {
  return {
    dueChecks: createDueChecks(database),
    // In the order of ids, so that two processes do not wait for each other.
    async saveChecks(checked) {
      await database.atomically(checked.toSorted((a, b) => (a.directoryId < b.directoryId ? -1 : 1)).map(saving))
    },
    ...createHealthLists(database),
  }
}

function saving({ directoryId, checks, severity, isHeld, isOverdue, isBehind, checkAt }: CheckedHealth): Statement {
  const flags = [isHeld, isOverdue, isBehind].map(Number)
  return { text: save, values: [directoryId, checks, severity, ...flags, checkAt ?? null] }
}

function createDueChecks({ query, dialect }: SqlDatabase): HealthCheckStore['dueChecks'] {
  const late = `
    select distinct x.directory_id, ${healthOf('x.directory_id', 'h.checks')} as checks
    from (
      select directory_id from deprovisionings ${dialect.indexedBy('deprovisionings_unreported')}
      where reported = 0 and received_at <= $1 order by received_at limit $2) x
    where ${healthOf('x.directory_id', 'h.overdue')} = 0`
  const next = `coalesce(${streamOf('s.directory_id', 'p.delivered_sequence')}, 0) + 1`
  const working = `
    select s.directory_id, ${healthOf('s.directory_id', 'h.checks')} as checks,
      case when ${healthOf('s.directory_id', 'h.behind + h.held + h.deactivated')} = 0
        and coalesce(${streamOf('s.directory_id', 'case when p.paused_at is null then p.failures else 1 end')}, 0) = 0
        and exists (
          select 1 from events e where e.directory_id = s.directory_id and e.sequence = ${next} and e.created_at <= $3)
      then 1 else 0 end as is_waiting
    from (
      select * from directory_state ${dialect.indexedBy('directory_state_endpoint_work')}
      where endpoint_work > 0 and directory_id > $1 order by directory_id limit $2) s
    order by s.directory_id`
  return async ({ now, overdueUntil, waitingUntil, workAfter, limit }: DueChecksInput) => {
    const found = [
      await query({ text: timed, values: [now, limit] }),
      await query({ text: late, values: [overdueUntil, limit] }),
    ]
    const work = await query({ text: working, values: [workAfter, limit, waitingUntil] })
    const last = work.length < limit ? undefined : work.at(-1)
    const rows = [...found.flat(), ...work.filter((row) => boolean(row, 'is_waiting'))]
    const due = new Map(rows.map(decodeDue).map((one) => [one.directoryId, one]))
    const hasMore = found.some(({ length }) => length >= limit)
    return { due: [...due.values()], hasMore, workAfter: last === undefined ? '' : text(last, 'directory_id') }
  }
}

function decodeDue(row: Row): DueCheck {
  return { directoryId: text(row, 'directory_id'), checks: integer(row, 'checks') }
}

/** The column that each order is by, and its lowest value. */
const orderColumns = {
  created: { column: 'created_at', lowest: '0' },
  worst: { column: 'severity', lowest: '0' },
  name: { column: 'name_folded', lowest: "''" },
  changed: { column: 'event_minute', lowest: '0' },
} as const satisfies Record<HealthOrder, { readonly column: string; readonly lowest: string }>

/** A condition on the row `h`, and the values of its parameters. */
interface Condition {
  readonly sql: (...parameters: string[]) => string
  readonly values: readonly unknown[]
}

function createHealthLists({ query, dialect: { joinOne } }: SqlDatabase): HealthListStore {
  return {
    async countHealth(scope) {
      const isOfFew = scope.tenant !== undefined || scope.directoryId !== undefined
      return (await query(isOfFew ? countFewStatement(scope) : countAllStatement(scope))).map(decodeCount)
    },
    async listHealth(filter, part) {
      return (await query(listStatement(filter, part))).map((row) => decodePosition(row, part.order))
    },
    async countListed(filter, limit) {
      const { text, values } = listStatement(filter, { order: 'worst', limit })
      const [row = {}] = await query({ text: `select count(*) as n from (${text}) c`, values })
      return integer(row, 'n')
    },
    async countOverdue(scope, until, limit) {
      const { text: conditions, values } = conditionsOf(scopeConditions(scope), 3)
      // The sum keeps the index by age out: it would find the old rows of all directories again for each of them.
      const counted = `
        select count(*) as n from (
          select 1 from directory_health h
          ${joinOne('deprovisionings', 'x', 'x.directory_id = h.directory_id and x.received_at + 0 <= $1')}
          where h.overdue = 1 and ${conditions} limit $2) o`
      const [row = {}] = await query({ text: counted, values: [until, limit, ...values] })
      return integer(row, 'n')
    },
  }
}

/** Counts the few directories of a tenant. */
function countFewStatement(scope: DirectoryScope): Statement {
  const { text: conditions, values } = conditionsOf(scopeConditions(scope), 1)
  return { text: `${sourceOf(scope)} ${countOf(`${tableOf(scope)} h where ${conditions}`)}`, values }
}

/**
 * Counts the directories of a product, or all, by an index whose columns have what is counted: a few milliseconds for 10,000. The
 * order and the limit leave one index to choose.
 */
function countAllStatement({ product }: DirectoryScope): Statement {
  const where = product === undefined ? 'h.severity >= 0' : `h.product = $1 and h.product >= ''`
  const ordered = `
    select severity, held, deactivated from directory_health h where ${where}
    order by h.severity, h.directory_id limit 1000000000`
  return { text: countOf(`(${ordered}) c`), values: product === undefined ? [] : [product] }
}

const countOf = (source: string) => `
  select severity, held, deactivated, count(*) as directories from ${source}
  group by severity, held, deactivated order by severity`

type Source = Pick<HealthFilter, 'tenant' | 'search'>

/**
 * The directories of a tenant, or that a search finds, are few: they are read first, and then sorted. Otherwise an index has
 * the order, and the columns that are filtered by. The first parameters are those of the conditions on them. The indexes of PostgreSQL
 * are partial: conditions that always hold, such as `tenant >= ''`, name the one that fits.
 */
function sourceOf({ tenant, search }: Source): string {
  if (tenant !== undefined)
    return `with found as materialized (select * from directory_health where tenant = $1 and tenant >= '')`
  if (search === undefined) return ''
  return `
    with found as materialized (
      select * from (${prefixed('name_folded')}) n union select * from (${prefixed('tenant_folded')}) t
      union select * from directory_health where directory_id = $3
    )`
}

/** The order and the limit leave one index of PostgreSQL to choose. */
const prefixed = (column: 'name_folded' | 'tenant_folded') => `
        select * from directory_health where ${column} >= $1 and ${column} >= '' and ${column} < $2
        order by ${column} limit 1000000000`

function tableOf({ tenant, search }: Source): string {
  return tenant === undefined && search === undefined ? 'directory_health' : 'found'
}

function listStatement(filter: HealthFilter, { order, after, offset = 0, limit }: HealthListPart): Statement {
  const { column, lowest } = orderColumns[order]
  const [direction, comparison] = order === 'changed' ? ['desc', '<'] : ['asc', '>']
  const position: Condition[] =
    after === undefined
      ? []
      : [
          {
            sql: (value, id) => `(h.${column}, h.directory_id) ${comparison} (${value}, ${id})`,
            values: [after.value, after.id],
          },
        ]
  const inOrder = filter.product === undefined ? `h.${column} >= ${lowest}` : `h.product >= ''`
  const index: Condition = { sql: () => inOrder, values: [] }
  const { text: where, values } = conditionsOf([...filterConditions(filter), ...position, index], 1)
  const next = values.length + 1
  return {
    text: `
      ${sourceOf(filter)}
      select h.directory_id, h.${column} as value from ${tableOf(filter)} h where ${where}
      order by h.${column} ${direction}, h.directory_id ${direction} limit $${next} offset $${next + 1}`,
    values: [...values, limit, offset],
  }
}

/** The conditions whose parameters are the first come first: see `sourceOf`. */
function filterConditions(filter: HealthFilter): Condition[] {
  const { tenant, severities, severityOneOf, type, isHeld, isOverdue, isDeactivated } = filter
  const [scope, search] = [scopeConditions(filter), searchConditions(filter)]
  const conditions = tenant === undefined ? [...search, ...scope] : [...scope, ...search]
  if (severities !== undefined) {
    const values = [severities.from, severities.to]
    conditions.push({ sql: (from, to) => `h.severity >= ${from} and h.severity < ${to}`, values })
  }
  if (severityOneOf !== undefined) {
    conditions.push({ sql: (one, other) => `h.severity in (${one}, ${other})`, values: severityOneOf })
  }
  const flags = { held: flag(isHeld), overdue: flag(isOverdue), deactivated: flag(isDeactivated) }
  conditions.push(...equalities({ directory_type: type, ...flags }))
  return conditions
}

const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))

/** The range of names and tenants that begin with the search, and the id. */
function searchConditions({ search }: Source): Condition[] {
  if (search === undefined) return []
  const { from, to } = prefixRange(search)
  const sql: Condition['sql'] = (first, last, id) => `
    (h.name_folded >= ${first} and h.name_folded < ${last} or h.tenant_folded >= ${first} and h.tenant_folded < ${last}
      or h.directory_id = ${id})`
  return [{ sql, values: [from, to, search] }]
}

/** The condition on the tenant is first. */
function scopeConditions({ tenant, product, directoryId }: DirectoryScope): Condition[] {
  return equalities({ tenant, product, directory_id: directoryId })
}

function equalities(columns: Readonly<Record<string, unknown>>): Condition[] {
  return Object.entries(columns).flatMap(([column, value]): Condition[] =>
    value === undefined ? [] : [{ sql: (parameter) => `h.${column} = ${parameter}`, values: [value] }],
  )
}

/** Conditions that must all hold, with parameters from `first` on. */
function conditionsOf(conditions: readonly Condition[], first: number) {
  let next = first
  const texts = conditions.map(({ sql, values }) => sql(...values.map(() => `$${next++}`)))
  const text = texts.length === 0 ? '1 = 1' : texts.join(' and ')
  return { text, values: conditions.flatMap(({ values }) => values) }
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
