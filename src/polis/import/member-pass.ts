import type { ListPart } from '../../directory/list.ts'
import type { IdSet } from '../../google/sync/id-set.ts'
import { createIdSet } from '../../google/sync/id-set.ts'
import type { Pass } from './pass.ts'
import type { SeenRecords } from './seen.ts'
import { readable } from './seen.ts'
import type { PolisGroup } from './source.ts'

/** The members that one transaction changes: it reads their users. */
const membersPerBatch = 100
const membersPerRead = 1_000

/** Imports the members of the groups of a directory that were imported. */
export async function importMembers(pass: Pass, users: SeenRecords, groups: SeenRecords): Promise<void> {
  const done = createIdSet()
  const list = readable(pass.source.groups(pass.polis), (reason) => {
    // The list was whole when the groups themselves were imported.
    if (groups.isWhole) pass.decide('list-incomplete', undefined, `${reason} Members of groups are left out.`)
    pass.isWhole = false
  })
  for await (const { id, name } of list) {
    pass.signal?.throwIfAborted()
    if (!groups.has(id) || !done.add(id)) continue
    const present = pass.holdsSomething ? await presentMembers(pass, id) : createIdSet()
    // Who is present and not read stays for now: its user or group may be missing from the list only.
    const isKnown = (member: string) =>
      member !== id && (users.has(member) || groups.has(member) || present.has(member))
    const { wanted, isGone, left, unreadable, isWhole } = await addMembers(pass, { id, present, isKnown })
    decideLeftOut(pass, { id, name }, left, unreadable)
    const isSure = unreadable === 0 && isWhole && users.isWhole && groups.isWhole
    if (isGone && isSure) await removeMembers(pass, id, (member) => !wanted.has(member))
    pass.onProgress()
  }
}

/** Says which memberships of a group are not imported. */
function decideLeftOut(
  { decide }: Pass,
  { id, name }: Pick<PolisGroup, 'id' | 'name'>,
  left: number,
  unreadable: number,
) {
  if (unreadable > 0) {
    const what = unreadable === 1 ? '1 membership' : `${unreadable} memberships`
    decide(
      'unreadable',
      id,
      `${what} of the group cannot be read, and none of its members is removed: ${JSON.stringify(name)}.`,
    )
  }
  if (left > 0) {
    const what = left === 1 ? '1 member of the group is' : `${left} members of the group are`
    decide('member-without-user', id, `${what} no user of the directory, and left out: ${JSON.stringify(name)}.`)
  }
}

async function presentMembers(pass: Pass, groupId: string): Promise<IdSet> {
  const present = createIdSet()
  for await (const ids of pagesOfMembers(pass, groupId)) for (const id of ids) present.add(id)
  return present
}

/** The ids of the stored members of a group, page by page. */
async function* pagesOfMembers({ store, directory }: Pass, groupId: string): AsyncGenerator<string[]> {
  let from: ListPart['from'] = 0
  for (;;) {
    const rows = await store.listMemberIds(directory.id, groupId, { from, limit: membersPerRead })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ item }) => item.id)
    from = last.position
  }
}

interface Joining {
  readonly id: string
  readonly present: IdSet
  readonly isKnown: (memberId: string) => boolean
}

/** Adds the members that are missing, in batches whose ends do not depend on what is there already. */
async function addMembers(pass: Pass, { id: groupId, present, isKnown }: Joining) {
  const wanted = createIdSet()
  let [left, kept, unreadable]: [number, number, number] = [0, 0, 0]
  let missing: string[] = []
  const flush = async () => {
    await changeMembers(pass, groupId, missing, [])
    missing = []
  }
  const countUnreadable = () => {
    unreadable += 1
  }
  let isWhole = true
  const list = readable(pass.source.members(pass.polis, groupId, countUnreadable), (reason) => {
    pass.decide('list-incomplete', groupId, `${reason} No member of the group is removed.`)
    isWhole = false
    pass.isWhole = false
  })
  for await (const memberId of list) {
    if (!isKnown(memberId)) left += 1
    else if (wanted.add(memberId)) {
      if (present.has(memberId)) kept += 1
      else missing.push(memberId)
      if (wanted.size % membersPerBatch === 0) await flush()
    }
  }
  await flush()
  pass.members.unchanged += kept
  return { wanted, left, unreadable, isWhole, isGone: kept < present.size }
}

/** Removes the stored members of a group to which a condition applies. */
export async function removeMembers(pass: Pass, groupId: string, isGone: (id: string) => boolean): Promise<void> {
  for await (const ids of pagesOfMembers(pass, groupId)) {
    const gone = ids.filter(isGone)
    for (let start = 0; start < gone.length; start += membersPerBatch) {
      await changeMembers(pass, groupId, [], gone.slice(start, start + membersPerBatch))
    }
  }
}

async function changeMembers(
  pass: Pass,
  groupId: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<void> {
  if (add.length + remove.length === 0) return
  const difference = { record: 'member', directoryId: pass.directory.id, groupId } as const
  for (const id of add) pass.differ({ ...difference, id, what: 'missing' })
  for (const id of remove) pass.differ({ ...difference, id, what: 'extra' })
  pass.members.created += add.length
  pass.members.deleted += remove.length
  await pass.write?.([{ kind: 'change-members', groupId, add: new Set(add), remove: new Set(remove) }])
}
