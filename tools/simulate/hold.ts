import { countOf } from '../../src/cli/terminal/quantity.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { ApiClient } from './api-client.ts'

/** The fields of a hold that the terminal shows. */
export interface ShownHold {
  readonly held: boolean
  readonly removals: number
  readonly activeUsers: number
  readonly firstSequence: number
  /** The email addresses of the affected users. */
  readonly emails: readonly string[]
}

/** Reads the hold of a directory, or ends it and returns the result. */
export async function fetchHold(api: ApiClient, directoryId: string, end?: 'release' | 'discard'): Promise<ShownHold> {
  const path = `/${encodeURIComponent(directoryId)}/hold`
  const data = await (end === undefined ? api.call('GET', path) : api.call('POST', `${path}/${end}`))
  const hold = isObject(data) ? data : {}
  const users: unknown = own(hold, 'users')
  return {
    held: own(hold, 'held') === true,
    removals: Number(own(hold, 'removals') ?? 0),
    activeUsers: Number(own(hold, 'active_users') ?? 0),
    firstSequence: Number(own(hold, 'first_sequence') ?? 0),
    emails: Array.isArray(users) ? users.flatMap((user) => (isObject(user) ? [String(own(user, 'email'))] : [])) : [],
  }
}

/** The hold in a sentence. */
export function holdText({ held, removals, activeUsers, firstSequence }: ShownHold): string {
  if (!held) return 'Nothing is held.'
  const what = `${countOf(removals, 'removal')} of ${countOf(activeUsers, 'active user')}`
  return `The directory is held: ${what}. The events from number ${firstSequence} on are waiting.`
}
