import type { DatabaseSync } from 'node:sqlite'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Group } from '../../directory/group.ts'
import type { DirectoryChanged, MembersCommitted, ProvisioningStore } from '../../directory/store.ts'
import { fold } from '../../scim/fold.ts'
import type { GroupChange } from '../group-changes.ts'
import { decideGroupChange, groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { decodeGroup, groupColumns } from '../groups.ts'
import { integer } from '../row.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import type { DirectoryState } from './events.ts'
import { rowKey } from './row-key.ts'

type GroupProvisioning = Pick<ProvisioningStore, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'>

/** Provisioning of groups and members on SQLite. */
export function sqliteGroups(parts: ProvisioningParts): GroupProvisioning {
  const change = createChangeGroup(parts)
  return {
    createGroup: (revision, group, members, event, cause) =>
      change(revision, groupCreation(group, members, event, cause)),
    replaceGroup: (revision, before, after, members, event, cause) =>
      change(revision, groupReplacement(before, after, members, event, cause)),
    changeMembers: (revision, groupId, members, version, cause) =>
      change(revision, memberChange(groupId, members, version, cause)),
    deleteGroup: createDeleteGroup(parts),
  }
}

type ChangeGroup = <R extends string>(
  revision: DirectoryRevision,
  change: GroupChange<R>,
) => Promise<MembersCommitted | R | DirectoryChanged>

function createChangeGroup({ db, write, record, counts, members }: ProvisioningParts): ChangeGroup {
  const byId = db.prepare(`select ${groupColumns} from groups g where g.directory_id = ? and g.id = ?`)
  const writeGroup = createWriteGroup(db)

  function findGroup(directoryId: string, id: string): Group | undefined {
    const row = byId.get(directoryId, id)
    return row && decodeGroup(row)
  }

  return (revision, { kind, groupId, members: memberChanges, cause, start }) =>
    write(revision, (directory) => {
      const started = start(kind === 'create' ? undefined : findGroup(directory.id, groupId))
      if (typeof started === 'string') return started
      const facts = members.facts(directory.id, groupId, memberChanges)
      const decision = decideGroupChange(started, memberChanges, facts, directory.lastSequence)
      const { group, events, added, removed, skipped } = decision
      if (events.length > 0) writeGroup(directory, kind, group)
      if (kind === 'create') counts.add(directory.id, 'groups', directory.lastSequence + 1)
      const recorded = record(directory, events, cause)
      members.change(directory.id, groupId, added, removed)
      return { events: recorded, group, skipped }
    })
}

/** Inserts a group with the sequence number of the next event, writes it as a whole, or writes its new version only. */
function createWriteGroup(db: DatabaseSync) {
  const insert = db.prepare(`
    insert into groups (row_key, directory_id, id, sequence, version, created_at, updated_at, name, name_folded, external_id, raw)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const update = db.prepare(`
    update groups set version = ?, updated_at = ?, name = ?, name_folded = ?, external_id = ?, raw = ?
    where directory_id = ? and id = ?`)
  const updateVersion = db.prepare('update groups set version = ?, updated_at = ? where directory_id = ? and id = ?')
  return (
    { id: directoryId, number, lastSequence }: DirectoryState,
    kind: GroupChange<never>['kind'],
    group: Group,
  ) => {
    const { id, version, createdAt, updatedAt, name, externalId = null, raw } = group
    const sequence = lastSequence + 1
    if (kind === 'create') {
      const content = [createdAt, updatedAt, name, fold(name), externalId, raw] as const
      insert.run(rowKey(number, sequence), directoryId, id, sequence, version, ...content)
    } else if (kind === 'replace') {
      update.run(version, updatedAt, name, fold(name), externalId, raw, directoryId, id)
    } else updateVersion.run(version, updatedAt, directoryId, id)
  }
}

function createDeleteGroup({
  db,
  write,
  record,
  counts,
  members,
}: ProvisioningParts): GroupProvisioning['deleteGroup'] {
  const remove = db.prepare(
    'delete from groups where directory_id = ? and id = ? and version = ? returning sequence as sequence',
  )
  return (revision, { id, version }, event, cause) =>
    write(revision, (directory) => {
      const row = remove.get(directory.id, id, version)
      if (row === undefined) return 'version-mismatch'
      counts.remove(directory.id, 'groups', integer(row, 'sequence'))
      counts.drop(directory.id, id)
      members.leaveGroups(directory.id, id, cause.at)
      return { events: record(directory, [event], cause) }
    })
}
