import { fold } from '../../../scim/fold.ts'
import { bucketSize } from '../../reads/lists.ts'
import type { CountedState } from '../../removals.ts'
import { sequenceBits } from '../../search-terms.ts'
import type { Statement } from '../../sql-database.ts'
import type { Assumption, LockedDirectory, NewUsers } from '../../write/batch.ts'
import type { DirectoryNumber } from '../../write/numbers.ts'
import { changesState, stateAssignments, statementsAfter, stateText } from '../../write/state.ts'
import { columnOf, insertInto, keyCondition, onConflict, oneRowTexts, otherColumns } from '../../write/statements.ts'
import type { TableWrite, Value, Writes } from '../../write/writes.ts'
import { binaryArray } from '../parameters.ts'
import { oneRow, rowBy } from '../sql.ts'

/** Collects the parameters of a statement. The directory is `$1`. */
class Parameters {
  readonly values: unknown[]

  constructor(directoryId: string) {
    this.values = [directoryId]
  }

  /** Adds a value; returns how the statement names it. */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`
  }
}

/** The statements that write a commit to a directory, which is locked. */
export function writeStatements(directoryId: string, writes: Writes, locked: CountedState): Statement[] {
  return [...rowStatement(directoryId, writes, locked), ...statementsAfter({ ...locked, id: directoryId }, writes)]
}

/**
 * Composes the statement that writes rows: one part for those of each table that are written in the same way, and one for the
 * state of the directory. Only what occurs has a part.
 */
function rowStatement(directoryId: string, { tables, state }: Writes, locked: CountedState): Statement[] {
  const parameters = new Parameters(directoryId)
  const parts = [...tables.values()].flatMap((write) => partsOf(resolved(write, locked), parameters))
  if (changesState(state)) {
    const assignments = stateAssignments(state)
    const names = assignments.map(({ value }) => parameters.add(value, 'int8'))
    parts.push(stateText(assignments, (index) => names[index] ?? '', state.events === 0))
  }
  const last = parts.pop()
  if (last === undefined) return []
  const first = parts.map((part, index) => `p${index} as (${part})`).join(',\n')
  return [{ text: first === '' ? last : `with ${first}\n${last}`, values: parameters.values }]
}

/**
 * Composes the statement of a commit that is decided without reading. It locks the directory by changing its state, if that is as
 * assumed: otherwise it writes nothing and returns no row. It fails with a division by zero (`isAssumptionWrong`) when a row that
 * it updates is not as expected.
 */
export function assumingStatement(
  { id, revision }: LockedDirectory,
  { tables, state }: Writes,
  { areNew }: Assumption,
): Statement {
  const parameters = new Parameters(id)
  const assignments = stateAssignments(state)
  const names = assignments.map(({ value }) => parameters.add(value, 'int8'))
  // The first change is followed by a further statement: see `statementsAfter`.
  const isAtRevision = revision === undefined ? 'revision >= 0' : `revision = ${parameters.add(revision, 'int8')}`
  const conditions = [isAtRevision, 'last_change_at is not null']
  if (areNew !== undefined) conditions.push('held_from is null', areNewSql(areNew, parameters))
  const update = stateText(assignments, (index) => names[index] ?? '', false)
  const advanced = `${update} and ${conditions.join(' and ')}
    returning last_sequence - ${names[0]} as last_sequence, discarded_events`
  const parts: string[] = []
  const checks: string[] = []
  for (const write of tables.values()) {
    for (const part of partsOf(write, parameters, 'l')) {
      const name = `p${parts.length}`
      parts.push(`${name} as (${part}${write.kind === 'update' ? ' returning 1' : ''})`)
      if (write.kind === 'update')
        checks.push(`(select count(*) from ${name}) = ${parameters.add(write.rows.length, 'int8')}`)
    }
  }
  const check = checks.length === 0 ? '' : `, 1 / (${checks.join(' and ')})::int4 as as_expected`
  const text = `with l as (${advanced}),\n${parts.join(',\n')}\nselect last_sequence${check} from l`
  return { text, values: parameters.values }
}

/**
 * The condition that users did not leave before: nobody left, or nobody who was like them. After a wait for the lock, PostgreSQL
 * evaluates it on the new state and on the other rows as they were before: these count only if the directory is as it was then.
 */
function areNewSql({ users, deletedSince, deactivatedSince }: NewUsers, parameters: Parameters): string {
  const before = (column: string, at: number) => `coalesce(${column}, 0) < ${parameters.add(at, 'int8')}`
  const nobodyLeft = [
    before('last_user_deleted_at', deletedSince),
    before('last_user_deactivated_at', deactivatedSince),
  ]
  const position = (state: string) => `${state}.last_sequence + ${state}.discarded_events`
  const nobodyLikeThem = [
    `${position('directory_state')} = (select ${position('s')} from directory_state s where s.directory_id = $1)`,
    ...valuesOfUsers(users)
      .filter(([, , values]) => values.length > 0)
      .map(([table, column, values]) => noRowSql(table, column, values, parameters)),
  ]
  return `(${nobodyLeft.join(' and ')} or ${nobodyLikeThem.join(' and ')})`
}

/** The values that the rows of removed and deleted users have who are like these. */
function valuesOfUsers(
  users: NewUsers['users'],
): readonly (readonly [table: string, column: string, values: readonly string[]])[] {
  const active = users.filter((user) => user.active)
  const names = active.map(({ userName }) => fold(userName))
  const recognized = users.filter(({ recognition }) => recognition !== undefined)
  const digests = recognized.flatMap(({ recognition }) => recognition?.digests() ?? [])
  const ids = (of: NewUsers['users']) => of.map(({ id }) => id)
  return [
    ['removed_users', 'user_id', ids(active)],
    ['removed_users', 'user_name_folded', names],
    ['deleted_users', 'user_id', ids(recognized)],
    ['deleted_users', 'user_name_digest', digests.map(({ userName }) => userName)],
    ['deleted_users', 'external_id_digest', digests.flatMap(({ externalId = [] }) => externalId)],
  ]
}

/** The condition that no row has one of the values. Of the query of `exists` itself, PostgreSQL would ignore the order: see `oneRow`. */
function noRowSql(table: string, column: string, values: readonly string[], parameters: Parameters): string {
  const [first, second] = values
  if (second === undefined) return `(${oneRow(table, 't', column, parameters.add(first, 'text'), '1')}) is null`
  const array = parameters.add(binaryArray('text', values), 'text[]')
  return `not exists (select from unnest((select ${array})) as k (value) ${rowBy(table, 't', column, 'k.value', '')})`
}

/** The rows with the numbers that follow from the state of the directory. */
function resolved(write: TableWrite, { lastSequence, discardedEvents }: CountedState): TableWrite {
  const value = (given: Value): Value => {
    if (typeof given !== 'object' || given === null || given.isStored) return given
    if (given.kind === 'sequence') return lastSequence + given.n
    const position = lastSequence + discardedEvents + given.n
    if (given.kind === 'row key') return { ...given, n: position, isStored: true }
    return given.kind === 'bucket' ? Math.floor(position / bucketSize) : position
  }
  const rows = write.rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, given]) => [column, value(given)])),
  )
  return { ...write, rows }
}

/** The SQL of a number of the directory whose state is the row `l`. */
function numberSql({ kind, isStored }: DirectoryNumber, n: string): string {
  if (kind === 'sequence') return `l.last_sequence + ${n}`
  const position = isStored ? n : `l.last_sequence + l.discarded_events + ${n}`
  if (kind === 'row key') return `((select number from directories where id = $1) << ${sequenceBits}) + ${position}`
  return kind === 'bucket' ? `(${position}) / ${bucketSize}` : position
}

/** The SQL of the value of a column, as its first row has it. @param n the parameter, or the column of the rows */
function valueSql({ rows: [first = {}] }: TableWrite, column: string, n: string): string {
  const value = first[column]
  return typeof value === 'object' && value !== null ? numberSql(value, n) : n
}

function parameterValue(value: Value | undefined): string | number | null {
  return typeof value === 'object' && value !== null ? value.n : (value ?? null)
}

/** @param source the row with the state of a directory that is not known yet */
function partsOf(write: TableWrite, parameters: Parameters, source?: 'l'): readonly string[] {
  const { table, columns, rows } = write
  const typeOf = (column: string) => table.columns[columnOf(column)] ?? 'text'
  const [first, second] = rows
  if (first !== undefined && second === undefined) {
    const names = new Map(
      columns.map((column) => [column, parameters.add(parameterValue(first[column]), typeOf(column))]),
    )
    return oneRowTexts(write, (column) => valueSql(write, column, names.get(column) ?? ''), source)
  }
  const arrays = new Map(
    columns.map((column) => {
      const values = rows.map((row) => parameterValue(row[column]))
      return [column, parameters.add(binaryArray(typeOf(column), values), `${typeOf(column)}[]`)]
    }),
  )
  return manyRowsTexts(write, (column) => arrays.get(column) ?? '', source)
}

/** The statements that write several rows. @param array the parameter with the values of a column */
function manyRowsTexts(write: TableWrite, array: (column: string) => string, source?: 'l'): readonly string[] {
  const { table, kind, key, columns } = write
  const others = otherColumns(write)
  const value = (column: string) => valueSql(write, column, `r.${quoted(column)}`)
  /** The rows `r` with these columns, and the number `i` of each. */
  const rows = (names: readonly string[]) => {
    const arrays = names.map((column) => `(select ${array(column)})`).join(', ')
    return `unnest(${arrays}) with ordinality as r (${names.map(quoted).join(', ')}, i)`
  }
  const isRow = key.map((column) => `${value(column)} = t.${columnOf(column)}`).join(' and ')
  // The rows are found by their keys in one scan of the index; if several columns vary, it also finds other combinations of them.
  const isAny = keyCondition(
    write,
    (column) => `t.${columnOf(column)} = any(${valuesSql(write, column, array(column))})`,
  )
  const varying = key.filter((column) => write.rows.some((row) => row[column] !== write.rows[0]?.[column]))
  const keys = `(${key.map((column) => `t.${columnOf(column)}`).join(', ')})`
  // `is true` keeps PostgreSQL from planning a join by its statistics: it hashes the rows once.
  const isExact =
    varying.length < 2 ? '' : ` and (${keys} in (select ${key.map(value).join(', ')} from ${rows(key)})) is true`
  switch (kind) {
    case 'update': {
      const [onlyKey, ...furtherKeys] = table.key
      const number =
        onlyKey !== undefined && furtherKeys.length === 0
          ? `array_position(${array(onlyKey)}, t.${columnOf(onlyKey)})`
          : `(select r.i from ${rows(key)} where ${isRow})`
      const set = others.map((column) => `(${array(column)})[x.i]`).join(', ')
      const from = source === undefined ? '' : ` from ${source}`
      return [
        `update ${table.name} as t set (${others.join(', ')}) = (select ${set} from (select ${number} as i offset 0) x)${from}
        where ${isAny}${isExact}`,
      ]
    }
    case 'remove':
      return [`delete from ${table.name} as t where ${isAny}${isExact}`]
    case 'subtract': {
      const amount = (column: string) => `(select r.${column} from ${rows(columns)} where ${isRow})`
      const isAll = others.map((column) => `t.${column} = ${amount(column)}`).join(' and ')
      const isLess = others.map((column) => `t.${column} > ${amount(column)}`).join(' and ')
      const set = others.map((column) => `${column} = t.${column} - ${amount(column)}`).join(', ')
      return [
        `delete from ${table.name} as t where ${isAny} and ${isAll}`,
        `update ${table.name} as t set ${set} where ${isAny} and ${isLess}`,
      ]
    }
    default: {
      const summed = kind === 'add' ? (column: string) => `sum(${value(column)})::int8` : value
      const values = columns.map((column) => (others.includes(column) ? summed(column) : value(column)))
      const selected = [...(table.isKeyedByDirectory ? ['$1'] : []), ...values].join(', ')
      const from = `${rows(columns)}${source === undefined ? '' : ` cross join ${source}`}`
      const grouped = kind === 'add' ? ` group by ${key.map(value).join(', ')}` : ''
      return [`${insertInto(write)} select ${selected} from ${from}${grouped} ${onConflict(write)}`]
    }
  }
}

/** The SQL of the array of the values of a column. */
function valuesSql(write: TableWrite, column: string, array: string): string {
  const value = valueSql(write, column, 'n')
  return value === 'n' ? array : `array(select ${value} from unnest(${array}) as n)`
}

function quoted(column: string): string {
  return column.includes(' ') ? `"${column}"` : column
}
