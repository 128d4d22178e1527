import type { StoredResource } from '../directory/resource.ts'
import type { JsonObject } from '../scim/json.ts'
import type { Row } from './row.ts'
import { integer, jsonText, text } from './row.ts'

/** The columns that users and groups have in common. */
export function resourceColumns(alias: 'u' | 'g'): string {
  return ['id', 'sequence', 'version', 'created_at', 'updated_at', 'raw'].map((name) => `${alias}.${name}`).join(', ')
}

/** Decodes a row of `resourceColumns`. */
export function decodeResource(row: Row): StoredResource {
  return {
    id: text(row, 'id'),
    version: integer(row, 'version'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    raw: jsonText<JsonObject>(row, 'raw'),
  }
}
