import { forEachConcurrently } from '../../concurrency/for-each.ts'
import type { ChosenGroup } from '../../directory/directory.ts'
import { fold } from '../../scim/fold.ts'
import { GoogleFailure, isFailure } from '../client/failure.ts'
import type { GoogleGroup, GoogleUser } from '../client/items.ts'
import type { Scope, SyncParts } from './context.ts'
import { createNestedMembers, readTree } from './group-tree.ts'
import type { IdSet } from './id-set.ts'
import { createIdSet } from './id-set.ts'

const maxConcurrentGroups = 4

const everything: Scope = { groups: undefined, goneGroups: [], includes: () => true, stillIncludes: async () => true }

/**
 * Reads which users are in the chosen groups.
 *
 * @throws GoogleFailure also `configuration` for a chosen group that Google does not know or show
 */
export async function readScope(parts: SyncParts): Promise<Scope> {
  const { groups: chosen = [], orgUnits = [] } = parts.directory.google ?? {}
  if (chosen.length === 0 && orgUnits.length === 0) return everything
  parts.tally.enter('groups')
  const { groups, goneGroups } = await findChosen(parts, chosen)
  const members = await readMembers(parts, groups)
  const units = orgUnits.map(fold)
  let again: Promise<Members> | undefined

  function includes({ id, orgUnitPath = '' }: GoogleUser): boolean {
    const path = fold(orgUnitPath)
    return members.has(id) || units.some((unit) => unit === '/' || path === unit || path.startsWith(`${unit}/`))
  }

  return {
    groups,
    goneGroups,
    includes,
    async stillIncludes(user) {
      if (includes(user)) return true
      again ??= readMembers(parts, groups)
      const { has, unreadable } = await again
      if (has(user.id)) return true
      for (const id of unreadable) if ((await parts.workspace.hasMember(id, user.id)) !== false) return true
      return false
    },
  }
}

/** Finds the chosen groups, and records their ids. One that an earlier sync had found may be gone by now. */
async function findChosen(
  parts: SyncParts,
  chosen: readonly ChosenGroup[],
): Promise<Pick<Scope, 'goneGroups'> & { readonly groups: readonly GoogleGroup[] }> {
  const found = new Map<string, GoogleGroup>()
  const known: ChosenGroup[] = []
  const unknown: string[] = []
  for (const { key, id } of chosen) {
    const group = await findGroup(parts, { key, id })
    if (group !== undefined) found.set(group.id, group)
    if (group === undefined && id === undefined) unknown.push(key)
    known.push(group === undefined ? { key, ...(id && { id, isGone: true }) } : { key, id: group.id })
  }
  await parts.recordGroups(known)
  const goneGroups = known.filter(({ isGone }) => isGone).map(({ key }) => key)
  if (unknown.length === 0) return { groups: [...found.values()], goneGroups }
  throw new GoogleFailure(
    'configuration',
    `Google Workspace has no group ${unknown.join(', ')}: correct extdir_groups. Nothing was changed.`,
  )
}

/** Finds a group by its id, so that it may have a new address, or else by the address. */
async function findGroup({ workspace }: SyncParts, { key, id }: Pick<ChosenGroup, 'key'> & { id: string | undefined }) {
  try {
    return (id === undefined ? undefined : await workspace.getGroup(id)) ?? (await workspace.getGroup(key))
  } catch (error) {
    if (!isFailure(error, 'forbidden')) throw error
    throw new GoogleFailure(
      'configuration',
      `Google does not let this account read the group ${key}: correct extdir_groups, or the rights of the account. Nothing was changed.`,
    )
  }
}

/** The members of the chosen groups, also through nested groups. */
interface Members {
  has(userId: string): boolean
  /** The ids of the groups that could not be read completely. */
  readonly unreadable: readonly string[]
}

async function readMembers(parts: SyncParts, groups: readonly GoogleGroup[]): Promise<Members> {
  const users: IdSet = createIdSet()
  const unreadable: string[] = []
  let hasEveryone = false
  const reading = { ...parts, directoryId: parts.directory.id, visitedUsers: { has: () => true } }
  const readNested = createNestedMembers(reading)
  await forEachConcurrently(groups, maxConcurrentGroups, parts.signal, async ({ id }) => {
    const tree = await readTree(reading, id, readNested)
    if (tree === 'gone' || !tree.isComplete) unreadable.push(id)
    if (tree === 'gone') return
    if (tree.hasEveryone) hasEveryone = true
    for (const userId of tree.users) users.add(userId)
  })
  return { has: (userId) => hasEveryone || users.has(userId), unreadable }
}
