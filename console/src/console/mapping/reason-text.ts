import type { RoleReason } from '../../api/types.ts'
import type { Texts } from '../../texts/en.ts'

/** The reason for a role as part of a sentence. */
export function reasonText({ rule, group, filter }: Omit<RoleReason, 'role'>, { because }: Texts['roles']): string {
  if (rule === null) return because.default
  if (group !== undefined && filter !== undefined) return because.both(group.name, filter, rule)
  if (group !== undefined) return because.group(group.name, rule)
  return filter === undefined ? because.rule(rule) : because.filter(filter, rule)
}

/** The reasons for several roles as one text. */
export function reasonsText(reasons: readonly RoleReason[], texts: Texts['roles']): string {
  return reasons.map((reason) => `${reason.role} ${reasonText(reason, texts)}`).join('; ')
}
