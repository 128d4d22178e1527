import type { ConsoleSession } from '../admin/sessions/store.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'

/** The columns of a session, in the order of `consoleSessionValues`. */
export const consoleSessionColumns = 'digest, holder_kind, holder_id, created_at, last_used_at'

/** How many unused sessions a new one removes. */
export const removedPerSignIn = 100

/** Decodes a row of `consoleSessionColumns`. */
export function decodeConsoleSession(row: Row): ConsoleSession {
  return {
    digest: text(row, 'digest'),
    holder: { kind: text(row, 'holder_kind') === 'api-key' ? 'api-key' : 'admin-token', id: text(row, 'holder_id') },
    createdAt: integer(row, 'created_at'),
    lastUsedAt: integer(row, 'last_used_at'),
  }
}

/** The values of a session, in the order of `consoleSessionColumns`. */
export function consoleSessionValues({ digest, holder, createdAt, lastUsedAt }: ConsoleSession): (string | number)[] {
  return [digest, holder.kind, holder.id, createdAt, lastUsedAt]
}
