import { createBatch } from '../../concurrency/batch.ts'
import type { GroupReference } from '../../directory/group.ts'
import type { FoundUser, Listed, ListPart } from '../../directory/store.ts'
import type { User } from '../../directory/user.ts'
import { fold } from '../../scim/fold.ts'
import type { FoundUserRow, UserRow } from '../resource-rows.ts'
import { foundUserOf, groupReferences, shownUserColumns, userColumns, userOf } from '../resource-rows.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { Database } from './database.ts'
import { listed } from './pages.ts'

/**
 * The groups of the user whose id the expression tells, as JSON; null when there is none. However many rows the planner
 * believes there are, only the way from the member to its groups is open to it.
 */
export function groupsOf(userId: string): string {
  return `
    select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id)::text
    from (select m.group_id from members m where m.directory_id = $1 and m.member_id = ${userId} offset 0) m
    cross join lateral (
      select g.id, g.name from groups g where g.directory_id = $1 and g.id = m.group_id limit 1) g`
}

/** As a subselect, the number of keys is no reason to plan anew. */
const keys = 'unnest((select $2::text[])) with ordinality as k (key, n)'

function userBy(column: 'id' | 'user_name_folded'): string {
  return `cross join lateral (select * from users u where u.directory_id = $1 and u.${column} = k.key limit 1) u`
}

const byId = `select k.n::int4, ${userColumns} from ${keys} ${userBy('id')}`
const byName = `
  select k.n::int4, ${shownUserColumns}, (${groupsOf('u.id')}) as groups from ${keys} ${userBy('user_name_folded')}`
const withGroups = `
  select k.n::int4, ${shownUserColumns}, (${groupsOf('k.key')}) as groups from ${keys} ${userBy('id')}`
const groupsById = `select k.n::int4, g.groups from ${keys} cross join lateral (${groupsOf('k.key')}) g (groups)`

interface GroupsRow {
  readonly groups: string | null
}

/** The reads that requests about one user make, which are the most frequent: those of many requests share statements. */
export function singleReads({ query }: Pick<Database, 'query'>) {
  const gathered = (text: string) => batchReads(query, text)
  const [userById, userByName] = [gathered(byId), gathered(byName)]
  const [userWithGroupsById, groupsOfUser] = [gathered(withGroups), gathered(groupsById)]
  return {
    async getUser(directoryId: string, id: string): Promise<User | undefined> {
      const row = await userById(directoryId, id)
      return row && userOf(row as unknown as UserRow)
    },
    async getUserWithGroups(directoryId: string, id: string): Promise<FoundUser | undefined> {
      const row = await userWithGroupsById(directoryId, id)
      return row && foundUserOf(row as unknown as FoundUserRow)
    },
    /** A part of the list of those who have the name, who are one at most. */
    async findUserByName(
      directoryId: string,
      userName: string,
      { from, limit }: ListPart,
    ): Promise<Listed<FoundUser>[]> {
      if (limit === 0 || (typeof from === 'number' && from > 0)) return []
      const row = await userByName(directoryId, fold(userName))
      const found = listed(row === undefined ? [] : [row], foundUserOf)
      return typeof from === 'number' ? found : found.filter(({ position }) => position.sequence > from.sequence)
    },
    async groupsOfUser(directoryId: string, id: string): Promise<GroupReference[]> {
      const row = await groupsOfUser(directoryId, id)
      return groupReferences((row as unknown as GroupsRow | undefined)?.groups ?? null)
    },
  }
}

/** Two batches at a time: the database runs one while the results of the other are used. */
const batchLimits = { maxSize: 200, maxConcurrent: 2 }

/**
 * Makes a read of one key from a statement that reads many (`$2`): it selects as `n` the position of the key, from 1. The
 * statement starts after its calls were made, so it sees everything that was committed before.
 */
function batchReads(
  query: Database['query'],
  text: string,
): (directoryId: string, key: string) => Promise<Row | undefined> {
  const read = createBatch<string, Row | undefined>(async (directoryId, keys) => {
    const rows = await query({ text, values: [directoryId, keys] })
    const byPosition = new Map(rows.map((row) => [integer(row, 'n'), row]))
    return keys.map((_, index) => byPosition.get(index + 1))
  }, batchLimits)
  // no stored key has a NUL character, and the parameter would fail the other reads of the batch
  return async (directoryId, key) => (`${directoryId}${key}`.includes('\0') ? undefined : read(directoryId, key))
}
