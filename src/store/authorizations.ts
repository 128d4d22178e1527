import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { authorizationLocation } from './sealing.ts'

/** How many expired authorization states are removed with each one that is spent: more than are added. */
export const expiredPerCall = 20

/** Opens a row of `sealed, expires_at`, which was just taken; undefined when there was none, or it has expired. */
export function openAuthorization(
  row: Row | undefined,
  directoryId: string,
  now: number,
  sealing: Sealing,
): string | undefined {
  if (row === undefined || integer(row, 'expires_at') <= now) return undefined
  return sealing.open(text(row, 'sealed'), authorizationLocation(directoryId))
}
