import type { ListPart } from '../../directory/list.ts'
import { indexedUser } from '../../directory/user.ts'
import type { IdSet } from '../../google/sync/id-set.ts'
import { removeMembers } from './member-pass.ts'
import type { Pass } from './pass.ts'

const rowsPerRead = 200

/** Deletes the groups and users that Polis does not have any more. */
export async function importDeletions(pass: Pass, users: IdSet, groups: IdSet): Promise<void> {
  if (!pass.holdsSomething) return
  await deleteGroups(pass, groups)
  await deleteUsers(pass, users)
}

async function deleteGroups(pass: Pass, seen: IdSet): Promise<void> {
  const { store, directory } = pass
  const read = (part: ListPart) => store.listGroups(directory.id, part)
  for await (const ids of pagesOfMissing(pass, seen, read)) {
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

async function deleteUsers(pass: Pass, seen: IdSet): Promise<void> {
  const { store, directory } = pass
  const read = (part: ListPart) => store.listUsers(directory.id, part)
  for await (const ids of pagesOfMissing(pass, seen, read)) {
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

/** The ids of a list that were not seen, page by page. */
async function* pagesOfMissing({ signal }: Pass, seen: IdSet, read: ReadPage): AsyncGenerator<string[]> {
  let from: ListPart['from'] = 0
  for (;;) {
    signal?.throwIfAborted()
    const page = await read({ from, limit: rowsPerRead })
    const last = page.at(-1)
    if (last === undefined) return
    const missing = page.map(({ item }) => item.id).filter((id) => !seen.has(id))
    if (missing.length > 0) yield missing
    from = last.position
  }
}
