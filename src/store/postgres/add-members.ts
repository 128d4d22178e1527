import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Cause } from '../../directory/event.ts'
import { newId } from '../../directory/new-id.ts'
import type { MembersCommitted } from '../../directory/store.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { GroupChange } from '../group-changes.ts'
import { decodeGroup } from '../groups.ts'
import { bucketSize } from '../lists.ts'
import { integer, jsonText } from '../row.ts'
import type { Database } from './database.ts'

/*
 * One user who joins a group is the most common change of a group. A function of the database makes such changes in one
 * round trip; all others take the two of groups.ts.
 */

/** A user who joins a group, whatever version it has. */
interface Addition {
  readonly groupId: string
  readonly userId: string
  readonly cause: Cause
}

/** The first changes, as long as each does nothing but add one member. */
export function leadingAdditions(changes: readonly GroupChange<string>[]): Addition[] {
  const additions: Addition[] = []
  for (const change of changes) {
    const addition = additionOf(change)
    if (addition === undefined) break
    additions.push(addition)
  }
  return additions
}

function additionOf({ kind, groupId, members, version, cause }: GroupChange<string>): Addition | undefined {
  if (kind !== 'members' || version !== undefined || members.kind !== 'delta') return undefined
  const [userId, ...others] = members.add
  if (userId === undefined || others.length > 0 || members.remove.size > 0) return undefined
  // No stored id has a NUL character, and PostgreSQL rejects a parameter that has one.
  return userId.includes('\0') ? undefined : { groupId, userId, cause }
}

const eventType = 'group.user_added' as const

/** The function is in `migrations/0001-initial.sql`. */
const addAll = `
  select addition, event_sequence, event_data, ($3::text[])[addition] as id, group_version as version,
    group_created_at as created_at, ($7::int8[])[addition] as updated_at, group_name as name,
    group_external_id as external_id, group_raw as raw
  from add_members_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, ${bucketSize})`

/**
 * Adds users to groups, in one transaction. Returns the outcomes, each at the index of its addition; undefined for those of
 * which nothing was written: the directory was changed, there is no such group or user, or the user is a member already.
 */
export async function addMembers(
  { query }: Database,
  { id, revision }: DirectoryRevision,
  additions: readonly Addition[],
): Promise<(MembersCommitted | undefined)[]> {
  const events = additions.map(({ groupId, cause: { at, requestId, traceContext } }) => ({
    ...{ id: newId(), eventType, createdAt: at, requestId, traceContext, groupId },
  }))
  const values = [
    id,
    revision,
    additions.map(({ groupId }) => groupId),
    additions.map(({ userId }) => userId),
    events.map((event) => event.id),
    eventType,
    events.map(({ createdAt }) => createdAt),
    events.map(({ requestId }) => requestId),
    events.map(({ traceContext }) => traceContext ?? null),
  ]
  const rows = new Map((await query({ text: addAll, values })).map((row) => [integer(row, 'addition'), row]))
  return events.map((event, index) => {
    const row = rows.get(index + 1)
    if (row === undefined) return undefined
    const [sequence, data] = [integer(row, 'event_sequence'), jsonText<JsonObject>(row, 'event_data')]
    return { events: [{ ...event, sequence, data }], group: decodeGroup(row), skipped: [] }
  })
}
