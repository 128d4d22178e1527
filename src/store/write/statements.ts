import type { WriteShape } from './writes.ts'

const expected = 'expected '

/** The column of the table that a column of a write stands for: see `WriteCollection.update`. */
export function columnOf(name: string): string {
  return name.startsWith(expected) ? name.slice(expected.length) : name
}

/** The columns that an update sets, or that are not the key of an inserted row. */
export function otherColumns({ key, columns }: Pick<WriteShape, 'key' | 'columns'>): readonly string[] {
  return columns.filter((column) => !key.includes(column))
}

/** The beginning of an insert. */
export function insertInto({ table, columns }: WriteShape): string {
  const names = table.isKeyedByDirectory ? ['directory_id', ...columns] : columns
  return `insert into ${table.name} (${names.join(', ')})`
}

/** The end of an insert: what happens when the row is there. */
export function onConflict(write: WriteShape): string {
  const { table, kind, key } = write
  const target = `on conflict (${[...(table.isKeyedByDirectory ? ['directory_id'] : []), ...key].join(', ')})`
  if (kind === 'keep') return `${target} do nothing`
  const set = otherColumns(write).map((column) =>
    kind === 'add' ? `${column} = ${table.name}.${column} + excluded.${column}` : `${column} = excluded.${column}`,
  )
  return kind === 'insert' ? '' : `${target} do update set ${set.join(', ')}`
}

/** The condition on the directory and the key of the row `t`. */
export function keyCondition({ table, key }: WriteShape, condition: (column: string) => string): string {
  return [...(table.isKeyedByDirectory ? ['t.directory_id = $1'] : []), ...key.map(condition)].join(' and ')
}

/**
 * The statements that write one row: more than one to subtract. They are the same on both engines.
 *
 * @param value the SQL of the value of a column
 * @param source where these values come from, if not from parameters only
 */
export function oneRowTexts(write: WriteShape, value: (column: string) => string, source?: string): readonly string[] {
  const { table, kind, columns } = write
  const others = otherColumns(write)
  const where = `where ${keyCondition(write, (column) => `t.${columnOf(column)} = ${value(column)}`)}`
  switch (kind) {
    case 'update': {
      const set = others.map((column) => `${column} = ${value(column)}`).join(', ')
      return [`update ${table.name} as t set ${set}${source === undefined ? '' : ` from ${source}`} ${where}`]
    }
    case 'remove':
      return [`delete from ${table.name} as t ${where}`]
    case 'subtract': {
      const isLess = others.map((column) => `t.${column} > ${value(column)}`).join(' and ')
      const isAll = others.map((column) => `t.${column} = ${value(column)}`).join(' and ')
      const set = others.map((column) => `${column} = t.${column} - ${value(column)}`).join(', ')
      return [
        `delete from ${table.name} as t ${where} and ${isAll}`,
        `update ${table.name} as t set ${set} ${where} and ${isLess}`,
      ]
    }
    default: {
      const values = [...(table.isKeyedByDirectory ? ['$1'] : []), ...columns.map(value)].join(', ')
      const rows = source === undefined ? `values (${values})` : `select ${values} from ${source}`
      return [`${insertInto(write)} ${rows} ${onConflict(write)}`]
    }
  }
}
