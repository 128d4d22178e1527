import type { MappingDocument, RuleDocument } from '../mapping/document.ts'

/** The rules of the setup portal have this and the id of their group as their id. */
const prefix = 'portal:'

/** The role that the rule of a group gives. */
export interface GroupRole {
  readonly role: string | null
  /** Whether the rule is as the portal made it; false: the product has changed it since. */
  readonly isUnchanged: boolean
}

/** The role of each group for which a mapping has a rule of the portal. */
export function groupRolesIn(document: MappingDocument | null): ReadonlyMap<string, GroupRole> {
  return new Map(
    (document?.roles?.rules ?? []).flatMap((rule): [string, GroupRole][] => {
      if (rule.id?.startsWith(prefix) !== true) return []
      const isUnchanged = groupOf(rule) !== undefined
      return [[rule.id.slice(prefix.length), { role: rule.role ?? null, isUnchanged }]]
    }),
  )
}

/** The group of a rule that the portal has made; undefined for one of the product, or one that the product has changed. */
function groupOf({ id, role, when, ...others }: RuleDocument): string | undefined {
  const { group, ...conditions } = when
  const isOnlyGroup = group !== undefined && Object.keys(conditions).length === 0
  const isMade = isOnlyGroup && id === `${prefix}${group}` && role !== undefined && Object.keys(others).length === 0
  return isMade ? group : undefined
}

/** Why a link with some roles must not change the role of a group; undefined if it can. */
export function refusalOf(roles: readonly string[], given: GroupRole | undefined): string | undefined {
  if (given === undefined) return undefined
  const ask = 'ask the person who sent you this link.'
  if (!given.isUnchanged) return `The role of this group was set by the product: ${ask}`
  if (given.role !== null && roles.includes(given.role)) return undefined
  return `The role of this group is none of those that this link can change: ${ask}`
}

/**
 * Gives a role to a group, or takes it away, in a directory's own mapping. Rules that the portal has made for groups that do not exist any more
 * are removed. All other rules stay as they are.
 *
 * @param document null: the directory has none of its own
 * @returns null when nothing would be left beside what the product's mapping says
 */
export function withGroupRole(
  document: MappingDocument | null,
  { groupId, role }: { readonly groupId: string; readonly role: string | null },
  exists: (groupId: string) => boolean,
): MappingDocument | null {
  const own: MappingDocument = document ?? { extends: 'product' }
  const present = own.roles?.rules ?? []
  const kept = present.filter((rule) => {
    const group = groupOf(rule)
    return group === undefined || (group === groupId ? role !== null : exists(group))
  })
  const isKept = kept.some((rule) => groupOf(rule) === groupId)
  const rules = kept.map((rule) => (groupOf(rule) === groupId && role !== null ? { ...rule, role } : rule))
  const added = role === null || isKept ? [] : [{ id: `${prefix}${groupId}`, role, when: { group: groupId } }]
  return simplest({ ...own, roles: { ...own.roles, rules: [...rules, ...added] } })
}

/** Null for a mapping that only extends that of the product. */
function simplest(document: MappingDocument): MappingDocument | null {
  const { extends: base, roles: { rules = [], ...others } = {}, ...rest } = document
  const isOnlyExtending = base !== undefined && [rules, Object.keys(others), Object.keys(rest)].every(isEmpty)
  return isOnlyExtending ? null : document
}

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0
}
