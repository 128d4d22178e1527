import type { DirectoryChanged } from '../../directory/directory-store.ts'
import type { GroupChange } from '../group-changes.ts'
import { decodeMemberType } from '../groups.ts'
import { countNamed, fewMembers, isLargeChange, maxMembersAtOnce, namedIds } from '../large-changes.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { SqlDatabase } from '../sql-database.ts'
import type { WrittenDirectory } from '../write/effects/effect.ts'
import type { SteppedChange, SteppedWrite } from '../write/large-changes.ts'
import { changeInSteps } from '../write/large-changes.ts'
import type { Database, Statement } from './database.ts'
import { membersInGroup } from './members.ts'
import { oneRow, rowBy } from './sql.ts'
import { decodeLocked, lockDirectory } from './write/commit.ts'
import { factReads, factsOf } from './write/facts.ts'
import { writeStatements } from './write/statement.ts'

const after = membersInGroup('$2', 'm.member_id, m.member_type', '500', '$3')

const userBytes = `
  select u.id, octet_length(u.raw) as bytes from unnest((select $2::text[])) as k (id) ${rowBy('users', 'u', 'id', 'k.id')}`

/**
 * Measures the members that a change of the group `$2` touches: the users among `$3`, and if `$4` all present members, of which no more than are
 * changed at once are measured.
 */
const touched = `
  with present as materialized (
    select m.member_id from (${membersInGroup('$2', 'm.member_id', String(maxMembersAtOnce + 1))}) m where $4::int4 = 1
  )
  select (select count(*) from present) as present,
    coalesce((select octet_length(g.raw) from (${oneRow('groups', 'g', 'id', '$2')}) g), 0) as group_bytes,
    (select coalesce(sum(octet_length(u.raw)), 0) from (
      select unnest((select $3::text[])) union all select member_id from present
    ) k (id) ${rowBy('users', 'u', 'id', 'k.id')}) as user_bytes`

/** Whether a change is made in steps. What it touches is measured, unless there are few members. */
export async function isLarge(
  { query }: Pick<SqlDatabase, 'query'>,
  directoryId: string,
  change: GroupChange<string>,
): Promise<boolean> {
  const { kind, groupId, members } = change
  const named = countNamed(members)
  if (named > maxMembersAtOnce) return true
  const isReplaced = members.kind === 'replace' && kind !== 'create'
  if (!isReplaced && named <= fewMembers) return false
  const values = [directoryId, groupId, withoutNulIds(namedIds(members)), Number(isReplaced)]
  const [found = {}] = await query({ text: touched, values })
  const count = named + integer(found, 'present')
  return isLargeChange(change, {
    count,
    userBytes: integer(found, 'user_bytes'),
    groupBytes: integer(found, 'group_bytes'),
  })
}

/**
 * Changes many members in one transaction of many round trips. Only writes to the same directory wait for it; nobody sees
 * anything of it before the commit, and this process holds a step of it at a time.
 */
export function changeLargeGroup<R extends string>(
  database: Database,
  directory: WrittenDirectory,
  change: GroupChange<R>,
): Promise<SteppedChange | R | DirectoryChanged> {
  return database.longTransaction(async (run) => {
    const [lock] = await run([lockDirectory(directory)])
    const state = decodeLocked(lock)
    if (state === undefined) return 'directory-changed'
    const { id } = directory
    const rows = async (statement: Statement): Promise<Row[]> => (await run([statement]))[0] ?? []
    const store: SteppedWrite = {
      state,
      async read(request) {
        const reads = factReads(directory, request)
        return factsOf(state, reads, await run(reads.flatMap(({ statements }) => statements)))
      },
      async membersAfter(memberId) {
        const found = await rows({ text: after, values: [id, change.groupId, memberId] })
        return new Map(found.map((row) => [text(row, 'member_id'), decodeMemberType(row)]))
      },
      async userBytes(ids) {
        const found = await rows({ text: userBytes, values: [id, withoutNulIds(ids)] })
        return new Map(found.map((row) => [text(row, 'id'), integer(row, 'bytes')]))
      },
      async write(step, before) {
        await run(writeStatements(id, step, before))
      },
      async publish(writes) {
        await run(writeStatements(id, writes, state))
      },
    }
    return changeInSteps(store, directory, change)
  })
}

/** The ids that PostgreSQL can store. */
function withoutNulIds(ids: readonly string[]): string[] {
  return ids.filter((id) => !id.includes('\0'))
}
