import type { RoleReason } from './evaluate.ts'

/** The reason for a role as the API and events show it. */
export type ReasonView = {
  readonly role: string
  /** The id of the rule; null: it is a default role. */
  readonly rule: string | null
  readonly group?: { readonly id: string; readonly name: string }
  readonly filter?: string
}

/** More reasons for one role are left out: a user may have it by hundreds of groups. */
const maxReasons = 10

/** The reasons for a role. */
export function reasonViews({ role, because }: RoleReason): ReasonView[] {
  return because.slice(0, maxReasons).map(({ rule, group, filter }) => ({
    role,
    rule: rule ?? null,
    ...(group && { group: { id: group.id, name: group.name } }),
    ...(filter !== undefined && { filter }),
  }))
}
