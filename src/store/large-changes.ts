import { maxMembershipBytes } from '../directory/membership-event.ts'
import type { MemberChanges } from '../scim/patch/members.ts'
import type { GroupChange } from './group-changes.ts'
import type { Row } from './row.ts'
import { integer } from './row.ts'
import type { Dialect, Statement } from './sql-database.ts'
import { membersInGroup } from './write/group-facts.ts'

/** A change that touches more members than this is made in steps. */
export const maxMembersAtOnce = 1_000

/** A change that names no more members than this, and does not replace others, is made at once, however large they are. */
export const fewMembers = 5

/** A change whose users and events have more bytes than this is made in steps: each event has a user and the group. */
const maxBytesAtOnce = 2_000_000

/** Says whether a change is made in steps: at once, or by the row that a statement reads. */
export type MeasureChange = (
  directoryId: string,
  change: GroupChange<string>,
) => boolean | { readonly statement: Statement; isLarge(row: Row | undefined): boolean }

/** Makes the measure of changes: the members that they touch, and the bytes of these and of the group. */
export function createMeasure(dialect: Dialect): MeasureChange {
  const { elementsOf, oneRow, rowBy } = dialect
  const all = membersInGroup(dialect, '$2', 'm.member_id', String(maxMembersAtOnce + 1))
  /** The users among `$3` and, if `$4` is 1, the present members of the group `$2`, of which no more than are changed at once are measured. */
  const text = `
    with present as materialized (select m.member_id from (${all}) m where cast($4 as integer) = 1)
    select (select count(*) from present) as present,
      coalesce((select octet_length(g.raw) from (${oneRow('groups', 'g', 'id', '$2')}) g), 0) as group_bytes,
      (select cast(coalesce(sum(octet_length(u.raw)), 0) as bigint) from (
        select j.value ->> 0 as id from ${elementsOf('$3', 'j')} union all select member_id from present
      ) k ${rowBy('users', 'u', 'id', 'k.id')}) as user_bytes`
  return (directoryId, { kind, groupId, members, written }) => {
    const named = countNamed(members)
    const isReplaced = members.kind === 'replace' && kind !== 'create'
    if (named > maxMembersAtOnce || (!isReplaced && named <= fewMembers)) return named > maxMembersAtOnce
    return {
      statement: { text, values: [directoryId, groupId, idElements(namedIds(members)), Number(isReplaced)] },
      isLarge(row = {}) {
        const count = named + integer(row, 'present')
        const groupBytes = written === undefined ? integer(row, 'group_bytes') : Buffer.byteLength(written.raw)
        const bytes = integer(row, 'user_bytes') + count * bytesInEvents(groupBytes)
        return count > maxMembersAtOnce || bytes > maxBytesAtOnce
      },
    }
  }
}

/** The ids that can be stored, as a parameter for `Dialect.elementsOf`: PostgreSQL rejects the NUL character. */
export function idElements(ids: readonly string[]): string {
  return JSON.stringify(ids.filter((id) => !id.includes('\0')).map((id) => [id]))
}

/** The most bytes of a group in the event about a member. */
export function bytesInEvents(groupBytes: number): number {
  return Math.min(groupBytes, maxMembershipBytes)
}

/** The number of members that a change names. One that replaces the list also touches all present members. */
export function countNamed(members: MemberChanges): number {
  return members.kind === 'replace' ? members.members.size : members.add.size + members.remove.size
}

function namedIds(members: MemberChanges): string[] {
  return members.kind === 'replace' ? [...members.members] : [...members.add, ...members.remove]
}
