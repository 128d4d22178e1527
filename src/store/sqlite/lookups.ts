import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Listed, ListPart } from '../../directory/store.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import type { Conditions, ConditionsOf } from '../lookup-conditions.ts'
import { rowKeysAfter } from './row-key.ts'

/** What is looked up: rows of a table, by conditions on its columns. */
export interface LookedUp<R, T> {
  readonly table: 'users u' | 'groups g'
  readonly columns: string
  readonly conditionsOf: ConditionsOf
  readonly itemOf: (row: R) => T
}

interface Row {
  readonly id: string
  readonly sequence: number
}

interface Plan {
  readonly find: StatementSync
  readonly count: StatementSync
  readonly isOfOne: boolean
}

const maxPlans = 100

/** Look-ups by index. Their statements are made and prepared by the attributes they use, at the first use. */
export function createLookUps<R extends Row, T>(db: DatabaseSync, lookedUp: LookedUp<R, T>) {
  const plans = new Map<string, Plan>()

  function planFor(equalities: readonly Equality[], conditions: Conditions): Plan {
    const key = keyOf(equalities)
    const plan = plans.get(key) ?? makePlan(db, lookedUp, conditions)
    if (plans.size < maxPlans) plans.set(key, plan)
    return plan
  }

  return {
    /** The rows that meet every equality, in the order of the list. */
    find(directoryId: string, equalities: readonly Equality[], { from, limit }: ListPart): Listed<T>[] {
      const conditions = lookedUp.conditionsOf(equalities)
      const { find, isOfOne } = planFor(equalities, conditions)
      const listed = (rows: unknown[]) => (rows as R[]).map((row) => placed(row, lookedUp.itemOf))
      if (isOfOne) return partOfOne(listed(find.all(directoryId, ...conditions.values)), from, limit)
      const [sequence, skip] = typeof from === 'number' ? [0, from] : [from.sequence, 0]
      return listed(find.all(directoryId, ...conditions.values, sequence, limit, skip))
    },
    /** How many rows meet every equality. */
    count(directoryId: string, equalities: readonly Equality[]): number {
      const conditions = lookedUp.conditionsOf(equalities)
      return Number(planFor(equalities, conditions).count.get(directoryId, ...conditions.values)?.['n'])
    },
  }
}

/** Equalities on the same attributes share a plan; `active` is written out in it. */
function keyOf(equalities: readonly Equality[]): string {
  let key = ''
  for (const { attribute, value } of equalities) key += attribute === 'active' ? `active ${value},` : `${attribute},`
  return key
}

function makePlan<R, T>(db: DatabaseSync, { table, columns }: LookedUp<R, T>, { sql, reach }: Conditions): Plan {
  const alias = table.slice(-1)
  const where = `from ${table} where ${alias}.directory_id = ?${sql}`
  // With a plus, SQLite does not walk the list in its order, but finds the rows by the conditions and sorts them.
  const walked = ` and ${rowKeysAfter(`${alias}.row_key`, '?')} order by ${alias}.row_key limit ? offset ?`
  const sorted = ` and +${alias}.sequence > ? order by +${alias}.sequence limit ? offset ?`
  const inOrder = reach === 'little' ? walked : sorted
  const isOfOne = reach === 'one'
  return {
    find: db.prepare(`select ${columns} ${where}${isOfOne ? '' : inOrder}`),
    count: db.prepare(`select count(*) as n ${where}`),
    isOfOne,
  }
}

/** The part of a list that has one row at most: sorting and skipping would cost more than finding it. */
function partOfOne<T>(rows: Listed<T>[], from: ListPart['from'], limit: number): Listed<T>[] {
  if (typeof from === 'number') return rows.slice(from, from + limit)
  return rows.filter(({ position }) => position.sequence > from.sequence).slice(0, limit)
}

/** A row with its place in the list. */
export function placed<R extends Row, T>(row: R, itemOf: (row: R) => T): Listed<T> {
  return { position: { sequence: row.sequence, id: row.id }, item: itemOf(row) }
}
