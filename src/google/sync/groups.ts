import { chunks, each } from '../../concurrency/for-each.ts'
import type { GoogleGroup } from '../client/items.ts'
import type { Context } from './context.ts'
import { inScope } from './in-scope.ts'
import { keepGroup } from './keep-group.ts'
import { googlePages } from './pages.ts'

/** So many changes share commits. */
const writesAtOnce = 64
const groupsPerRead = 500

/** Brings the stored groups in line with Google's list; none is deleted here. */
export async function reconcileGroups(context: Context): Promise<void> {
  const { workspace, signal, tally, seenGroups } = context
  tally.enter('groups')
  for await (const groups of googlePages((token) => workspace.listGroups(token), signal)) {
    tally.count('pages')
    await keepGroups(
      context,
      inScope(context, seenGroups, groups, ({ email }) => email),
    )
  }
}

async function keepGroups(context: Context, groups: readonly GoogleGroup[]): Promise<void> {
  const { provisioning, directoryId, signal } = context
  for (const part of chunks(groups, groupsPerRead)) {
    const ids = part.map(({ id }) => id)
    const stored = await provisioning.store.getGroups(directoryId, ids)
    await each(part, writesAtOnce, signal, (group) => keepGroup(context, group, stored.get(group.id)))
  }
}
