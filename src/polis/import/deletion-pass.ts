import type { ListPart } from '../../directory/list.ts'
import { indexedUser } from '../../directory/user.ts'
import { removeMembers } from './member-pass.ts'
import type { Pass } from './pass.ts'
import type { SeenRecords } from './seen.ts'
import { notListedText, unreadableText } from './seen.ts'

const rowsPerRead = 200

/**
 * Deletes the groups and users that Polis does not have any more, after it has confirmed this for each. Those that it has,
 * but that cannot be read, stay; so do all after a list that was not read whole.
 */
export async function importDeletions(pass: Pass, users: SeenRecords, groups: SeenRecords): Promise<void> {
  if (!pass.holdsSomething) return
  if (groups.isWhole) await deleteGroups(pass, groups)
  if (users.isWhole) await deleteUsers(pass, users)
}

async function deleteGroups(pass: Pass, seen: SeenRecords): Promise<void> {
  const { store, directory } = pass
  const read = (part: ListPart) => store.listGroups(directory.id, part)
  for await (const ids of pagesOfMissing(pass, 'group', seen, read)) {
    for (const id of ids) {
      pass.differ({ record: 'group', directoryId: directory.id, id, what: 'extra' })
      await removeMembers(pass, id, () => true)
    }
    pass.groups.deleted += ids.length
    if (pass.write === undefined) continue
    const groups = [...(await store.getGroups(directory.id, ids)).values()]
    await pass.write([{ kind: 'delete-groups', groups }])
  }
}

async function deleteUsers(pass: Pass, seen: SeenRecords): Promise<void> {
  const { store, directory } = pass
  const read = (part: ListPart) => store.listUsers(directory.id, part)
  for await (const ids of pagesOfMissing(pass, 'user', seen, read)) {
    for (const id of ids) pass.differ({ record: 'user', directoryId: directory.id, id, what: 'extra' })
    pass.users.deleted += ids.length
    if (pass.write === undefined) continue
    const users = [...(await store.getUsers(directory.id, ids)).values()].map(indexedUser)
    await pass.write([{ kind: 'delete-users', users }])
  }
}

type ReadPage = (
  part: ListPart,
) => Promise<
  readonly { readonly position: Exclude<ListPart['from'], number>; readonly item: { readonly id: string } }[]
>

/** The ids of a list that Polis does not have, page by page. */
async function* pagesOfMissing(
  { signal, decide, source, polis }: Pass,
  record: 'user' | 'group',
  seen: SeenRecords,
  read: ReadPage,
): AsyncGenerator<string[]> {
  let from: ListPart['from'] = 0
  for (;;) {
    signal?.throwIfAborted()
    const page = await read({ from, limit: rowsPerRead })
    const last = page.at(-1)
    if (last === undefined) return
    const missing: string[] = []
    for (const { item } of page) {
      if (seen.has(item.id)) continue
      if (!seen.isUnreadable(item.id)) missing.push(item.id)
      else decide('unreadable', item.id, unreadableText(record))
    }
    const existing = missing.length > 0 ? await source.existing(record, polis, missing) : new Set<string>()
    for (const id of existing) decide('list-incomplete', id, notListedText(record))
    const gone = missing.filter((id) => !existing.has(id))
    if (gone.length > 0) yield gone
    from = last.position
  }
}
