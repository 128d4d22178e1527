import type { Abridged } from '../directory/abridged.ts'
import { maxListedRawBytes } from '../directory/abridged.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { Row } from './row.ts'
import { integer, jsonText, optionalJsonText, text } from './row.ts'

/** The columns that users and groups have in common. */
export function resourceColumns(alias: 'u' | 'g'): string {
  return ['id', 'sequence', 'version', 'created_at', 'updated_at', 'raw'].map((name) => `${alias}.${name}`).join(', ')
}

/** Columns of a user `u` or a group `g` as a list contains them: a large `raw` is null. */
export function abridgedColumns(columns: string): string {
  return columns.replace(
    /\b([ug])\.raw\b/,
    `case when octet_length($1.raw) <= ${maxListedRawBytes} then $1.raw end as raw`,
  )
}

/** Decodes a row of `resourceColumns`. */
export function decodeResource(row: Row): StoredResource {
  return { ...decodeVersion(row), raw: jsonText(row, 'raw') }
}

/** Decodes a row of `resourceColumns` that are `abridgedColumns`. */
export function decodeAbridged(row: Row): Abridged<StoredResource> {
  return { ...decodeVersion(row), raw: optionalJsonText(row, 'raw') }
}

function decodeVersion(row: Row): Omit<StoredResource, 'raw'> {
  return {
    id: text(row, 'id'),
    version: integer(row, 'version'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  }
}
