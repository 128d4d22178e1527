import type { ColumnRef, Node } from 'libpg-query'
import { parse } from 'libpg-query'

/** An UPDATE or DELETE of a table. */
export interface Write {
  readonly kind: 'update' | 'delete'
  readonly table: string
  /** Whether the column `directory_id` of each row that it writes is compared with a parameter. */
  readonly namesDirectory: boolean
}

/** Finds the updates and deletions in a statement, also in its common table expressions. */
export async function writesIn(text: string): Promise<Write[]> {
  const writes: Write[] = []
  for (const node of nodes(await parse(text))) {
    for (const [type, kind] of [
      ['UpdateStmt', 'update'],
      ['DeleteStmt', 'delete'],
    ] as const) {
      const write = node[type] as WriteNode | undefined
      if (write === undefined) continue
      const { relname = '', alias } = write.relation ?? {}
      const target = alias?.aliasname ?? relname
      const namesDirectory = conjuncts(write.whereClause).some((one) => comparesDirectory(one, target))
      writes.push({ kind, table: relname, namesDirectory })
    }
  }
  return writes
}

interface WriteNode {
  readonly relation?: { readonly relname?: string; readonly alias?: { readonly aliasname?: string } }
  readonly whereClause?: Node
}

type AnyNode = Readonly<Record<string, unknown>>

/** Every object of a syntax tree. */
function* nodes(value: unknown): Generator<AnyNode, void, undefined> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as AnyNode
  for (const part of Object.values(value)) yield* nodes(part)
}

function conjuncts(condition: Node | undefined): Node[] {
  if (condition === undefined) return []
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'AND_EXPR') return [condition]
  return (condition.BoolExpr.args ?? []).flatMap(conjuncts)
}

/** `directory_id = $1`, `directory_id is not distinct from $1` or `directory_id = any($1)`. */
function comparesDirectory(condition: Node, target: string): boolean {
  if (!('A_Expr' in condition)) return false
  const { kind, lexpr, rexpr } = condition.A_Expr
  if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_NOT_DISTINCT' && kind !== 'AEXPR_OP_ANY') return false
  if (JSON.stringify(condition.A_Expr.name) !== '[{"String":{"sval":"="}}]') return false
  return isDirectory(lexpr, target) && isGiven(rexpr)
}

function isDirectory(side: Node | undefined, target: string): boolean {
  const [last, qualifier = target] = namesOf(side).reverse()
  return last === 'directory_id' && qualifier === target
}

function isGiven(side: Node | undefined): boolean {
  if (side === undefined) return false
  if ('TypeCast' in side) return isGiven(side.TypeCast.arg)
  return 'ParamRef' in side
}

/** The name of a column with its qualifier. */
function namesOf(side: Node | undefined): string[] {
  const { fields = [] } = (side !== undefined && 'ColumnRef' in side ? side.ColumnRef : {}) as ColumnRef
  return fields.flatMap((field) => ('String' in field ? [field.String.sval ?? ''] : []))
}
