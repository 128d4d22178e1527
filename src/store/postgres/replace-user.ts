import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Committed, DirectoryChanged } from '../../directory/store.ts'
import type { IndexedUser } from '../../directory/user.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Row } from '../row.ts'
import type { Database } from './database.ts'
import { isNameTaken } from './errors.ts'
import { eventTypes, eventValues } from './events.ts'
import { valueParameters } from './sql.ts'
import { userTypes, userValues } from './user-rows.ts'

/** A user before and after a change, and the event that tells of it. */
export interface UserReplacement {
  readonly before: IndexedUser
  readonly after: IndexedUser
  readonly event: UnnumberedEvent
}

export type UserReplacementOutcome = Committed | 'user-name-taken' | 'version-mismatch' | DirectoryChanged

/** See `migrations/0001-initial.sql`. */
const text = `
  select replace_user_v1($1, $2, $3, ${valueParameters(4, [...userTypes, ...eventTypes])}, $23, $24) as sequence`

/** Replaces one user. It waits for no lock but the directory's: that a name is taken is certain. */
export async function replaceUser(
  { query }: Database,
  { id, revision }: DirectoryRevision,
  { before, after, event }: UserReplacement,
): Promise<UserReplacementOutcome> {
  const emails = [without(before.emails, after.emails), without(after.emails, before.emails)]
  const values = [id, revision, before.version, ...userValues(after), ...eventValues(event), ...emails]
  const [row] = await query({ text, values }).catch(noneWhenTaken)
  if (row === undefined) return 'user-name-taken'
  const { sequence } = row as { sequence: number | null }
  if (sequence === null) return 'directory-changed'
  return sequence === 0 ? 'version-mismatch' : { events: [{ ...event, sequence }] }
}

function noneWhenTaken(error: unknown): Row[] {
  if (isNameTaken(error)) return []
  throw error
}

/** The texts that the others lack. */
export function without(texts: readonly string[], others: readonly string[]): string[] {
  return texts.filter((text) => !others.includes(text))
}
