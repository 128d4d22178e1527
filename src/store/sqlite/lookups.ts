import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { UserEquality } from '../../directory/directory-store.ts'
import type { ListPart, ListRow } from '../../directory/list.ts'
import { decodeListRow } from '../lists.ts'
import type { Conditions, ConditionsOf } from '../lookup-conditions.ts'
import { integer } from '../row.ts'
import type { ListTable } from './lists.ts'
import { rowKeysAfter } from './row-key.ts'

/** A table that is searched by conditions on its indexed columns. */
export interface LookupTable<T> extends ListTable<T> {
  readonly conditionsOf: ConditionsOf
}

interface Plan {
  readonly find: StatementSync
  readonly count: StatementSync
  readonly isOfOne: boolean
}

const maxPlans = 100

/** Lookups by index. A statement is prepared at the first use of its combination of attributes. */
export function createLookups<T>(db: DatabaseSync, lookup: LookupTable<T>) {
  const plans = new Map<string, Plan>()

  function planFor(equalities: readonly UserEquality[], conditions: Conditions): Plan {
    const key = keyOf(equalities)
    const plan = plans.get(key) ?? makePlan(db, lookup, conditions)
    if (plans.size < maxPlans) plans.set(key, plan)
    return plan
  }

  return {
    /** The rows that meet every equality, in the order of the list. */
    find(directoryId: string, equalities: readonly UserEquality[], { from, limit }: ListPart): ListRow<T>[] {
      const conditions = lookup.conditionsOf(equalities)
      const { find, isOfOne } = planFor(equalities, conditions)
      const read = (...part: number[]) =>
        find.all(directoryId, ...conditions.values, ...part).map((row) => decodeListRow(row, lookup.decode))
      if (isOfOne) return partOfOne(read(), from, limit)
      const [sequence, skip] = typeof from === 'number' ? [0, from] : [from.sequence, 0]
      return read(sequence, limit, skip)
    },
    /** The number of rows that meet every equality. */
    count(directoryId: string, equalities: readonly UserEquality[]): number {
      const conditions = lookup.conditionsOf(equalities)
      const row = planFor(equalities, conditions).count.get(directoryId, ...conditions.values)
      return integer(row ?? {}, 'n')
    },
  }
}

/** Equalities on the same attributes share a plan; the value of `active` is part of the statement. */
function keyOf(equalities: readonly UserEquality[]): string {
  let key = ''
  for (const { attribute, value } of equalities) key += attribute === 'active' ? `active ${value},` : `${attribute},`
  return key
}

function makePlan<T>(db: DatabaseSync, { table, columns }: LookupTable<T>, { sql, reach }: Conditions): Plan {
  const alias = table.slice(-1)
  const where = `from ${table} where ${alias}.directory_id = ?${sql}`
  // The plus signs keep SQLite from walking the list in its order: it finds the rows by the conditions, then sorts them.
  const walked = ` and ${rowKeysAfter(`${alias}.row_key`, '?')} order by ${alias}.row_key limit ? offset ?`
  const sorted = ` and +${alias}.sequence > ? order by +${alias}.sequence limit ? offset ?`
  const inOrder = reach === 'most' ? walked : sorted
  const isOfOne = reach === 'one'
  return {
    find: db.prepare(`select ${columns} ${where}${isOfOne ? '' : inOrder}`),
    count: db.prepare(`select count(*) as n ${where}`),
    isOfOne,
  }
}

/** The part of a list of at most one row: sorting and skipping in SQL would cost more than finding it. */
function partOfOne<T>(rows: ListRow<T>[], from: ListPart['from'], limit: number): ListRow<T>[] {
  if (typeof from === 'number') return rows.slice(from, from + limit)
  return rows.filter(({ position }) => position.sequence > from.sequence).slice(0, limit)
}
