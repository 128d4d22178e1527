import type { Caller } from '../directory/audit.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import { DirectoryError, throwProblems } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import type { MappingDocument } from '../mapping/document.ts'
import type { MappingRunView, Mappings } from '../mapping/mappings.ts'
import type { PreviewSummary, Previews } from '../mapping/previews.ts'
import { groupRolesIn, refusalOf, withGroupRole } from './group-roles.ts'
import { GroupRoleInput } from './inputs.ts'
import type { OpenedLink } from './portal-groups.ts'

/** The people who would gain or lose a role. */
interface PreviewedPeople {
  readonly count: number
  /** The email addresses of some of them. */
  readonly examples: readonly string[]
}

/** The changes of roles that a role for a group would cause. */
export interface PortalPreview {
  readonly roles: readonly {
    readonly role: string
    readonly gain: PreviewedPeople
    readonly lose: PreviewedPeople
    /** Whether fewer would be left than must keep the role: the directory is then held. */
    readonly too_few: boolean
  }[]
}

/** The run that applies the last change of the directory's roles; null before the first. */
export interface PortalRolesRun {
  readonly run: MappingRunView | null
}

export interface PortalRolesParts {
  readonly store: Pick<DirectoryReads, 'getGroups'>
  readonly mappings: Pick<Mappings, 'edit' | 'get' | 'own'> & Pick<Previews, 'summarize'>
}

/**
 * The changes that a role for a group, or none, would cause. Nothing is written.
 *
 * @param signal aborts when nobody waits for it any more
 * @throws DirectoryError `invalid-input`, `resource-not-found`, `forbidden`; the reason of the signal
 */
export async function previewGroupRole(
  opened: OpenedLink,
  groupId: string,
  input: unknown,
  signal: AbortSignal | undefined,
  parts: PortalRolesParts,
): Promise<PortalPreview> {
  const { directory } = opened
  const role = await checkedRole(opened, groupId, input, parts)
  const own = await parts.mappings.own(directory.id)
  const mapping = (await nextMapping(opened, own, { groupId, role }, parts)) ?? { extends: 'product' }
  return portalPreview(await refusingLimits(() => parts.mappings.summarize(directory.id, mapping, signal)))
}

/**
 * Gives a group one of the roles of the link, or none. A run then changes the roles of its members.
 *
 * @throws DirectoryError `invalid-input`, `resource-not-found`, `forbidden`
 */
export async function giveGroupRole(
  opened: OpenedLink,
  groupId: string,
  input: unknown,
  caller: Caller,
  parts: PortalRolesParts,
): Promise<PortalRolesRun> {
  const { id } = opened.directory
  const role = await checkedRole(opened, groupId, input, parts)
  const { run } = await refusingLimits(() =>
    parts.mappings.edit(id, (own) => nextMapping(opened, own, { groupId, role }, parts), caller),
  )
  return { run }
}

/** The progress of the run that applies the last change. */
export async function rolesRun(
  { directory: { id } }: OpenedLink,
  { mappings }: PortalRolesParts,
): Promise<PortalRolesRun> {
  const { run } = await mappings.get({ id })
  return { run }
}

async function checkedRole(
  { link, directory }: OpenedLink,
  groupId: string,
  input: unknown,
  { store }: PortalRolesParts,
): Promise<string | null> {
  const { role } = parseInput(GroupRoleInput, input)
  if (role !== null && !link.roles.includes(role)) {
    throwProblems([{ field: 'role', message: `role: this link is for ${link.roles.join(', ')}, or null for no role.` }])
  }
  if (!(await store.getGroups(directory.id, [groupId])).has(groupId)) {
    throw new DirectoryError('resource-not-found', 'There is no such group: reload the page.')
  }
  return role
}

/** The directory's own mapping after a change, without rules for groups that were deleted. */
async function nextMapping(
  { link, directory }: OpenedLink,
  own: MappingDocument | null,
  change: { readonly groupId: string; readonly role: string | null },
  { store }: PortalRolesParts,
): Promise<MappingDocument | null> {
  const roles = groupRolesIn(own)
  const refusal = refusalOf(link.roles, roles.get(change.groupId))
  if (refusal !== undefined) throw new DirectoryError('forbidden', refusal)
  const existing = await store.getGroups(directory.id, [...roles.keys()])
  return withGroupRole(own, change, (groupId) => existing.has(groupId))
}

/** Replaces the errors about a mapping that would be invalid, which are not for the holder of a link. */
async function refusingLimits<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof DirectoryError && error.code === 'invalid-input')) throw error
    const message = 'The rules of the product do not allow this change: ask the person who sent you this link.'
    throw new DirectoryError('forbidden', message)
  }
}

function portalPreview({ roles = {}, warnings = [], examples }: PreviewSummary): PortalPreview {
  const short = new Set(warnings.flatMap(({ code, rule }) => (code === 'too-few-users' ? [rule] : [])))
  return {
    roles: Object.entries(roles).map(([role, { gain, lose }]) => ({
      role,
      gain: { count: gain, examples: examples.get(role)?.gain ?? [] },
      lose: { count: lose, examples: examples.get(role)?.lose ?? [] },
      too_few: lose > 0 && short.has(role),
    })),
  }
}
