import type { DatabaseSync } from 'node:sqlite'
import type { MemberType } from '../../directory/group.ts'

/** Where a member stands: in which group, and at which place of its list. */
export interface Membership {
  readonly groupId: string
  readonly sequence: number
}

/** The statements on `members`. Each runs in the transaction that the caller has open. */
export function memberStatements(db: DatabaseSync) {
  const insert = db.prepare(
    'insert into members (directory_id, group_id, member_id, member_type, sequence) values (?, ?, ?, ?, ?)',
  )
  const remove = db.prepare(
    'delete from members where directory_id = ? and group_id = ? and member_id = ? returning sequence as sequence',
  )
  const one = db.prepare('select member_type from members where directory_id = ? and group_id = ? and member_id = ?')
  const all = db.prepare('select member_id, member_type from members where directory_id = ? and group_id = ?')
  const ofMember = db.prepare(`
    delete from members indexed by members_by_member where directory_id = ? and member_id = ?
    returning group_id as groupId, sequence as sequence`)

  const typeOf = (row: Record<string, unknown>): MemberType => (row['member_type'] === 'Group' ? 'Group' : 'User')

  return {
    /** Inserts a member at the place that its event gives it. */
    insertMember(directoryId: string, groupId: string, id: string, memberType: MemberType, sequence: number): void {
      insert.run(directoryId, groupId, id, memberType, sequence)
    },
    /** Removes a member; answers the place it had. */
    removeMember(directoryId: string, groupId: string, id: string): number {
      return Number(remove.get(directoryId, groupId, id)?.['sequence'])
    },
    /** Those of the ids that are members. */
    presentAmong(directoryId: string, groupId: string, ids: Iterable<string>): Map<string, MemberType> {
      const present = new Map<string, MemberType>()
      for (const id of ids) {
        const row = one.get(directoryId, groupId, id)
        if (row !== undefined) present.set(id, typeOf(row))
      }
      return present
    },
    /** Every member of the group. */
    allMembers(directoryId: string, groupId: string): Map<string, MemberType> {
      return new Map(all.all(directoryId, groupId).map((row) => [String(row['member_id']), typeOf(row)]))
    },
    /** Takes a user or group that is deleted out of every group; answers where it was. */
    leaveGroups(directoryId: string, memberId: string): Membership[] {
      return ofMember.all(directoryId, memberId) as unknown as Membership[]
    },
  }
}
