import { domainAllowed } from '../../../directory/allowed-domains.ts'
import type { DomainRules } from '../../../directory/directory.ts'
import type { Changes } from '../../../directory/event.ts'
import type { User } from '../../../directory/user.ts'
import { userViewText } from '../../../directory/user.ts'
import { fromJsonText, toJsonText } from '../../../scim/json-text.ts'
import type { Effect } from './effect.ts'

/** Marks the users who have an address outside the allowed domains. Only the directories that have some have this effect. */
export function domainsOfUsers(rules: DomainRules | undefined): readonly Effect[] {
  if (rules === undefined || rules.allowed.length === 0) return []
  const effect: Effect = {
    request(changes) {
      const replaced = changes.flatMap(({ before, after }) => (before && after ? [before.id] : []))
      return replaced.length === 0 ? undefined : { users: replaced }
    },
    complete(change, facts) {
      const { before, after, event } = change
      if (after === undefined) return change
      const mark = domainAllowed(rules, after)
      const shown = { ...after, domainAllowed: mark }
      const columns = { ...change.columns, ...domainColumns(mark) }
      const completed = { ...event, data: userViewText(shown) }
      if (before === undefined) return { ...change, after: shown, event: completed, columns }
      const marked = domainChanges(facts.users.get(before.id)?.domainAllowed, mark)
      const changes = toJsonText({ ...(event.changes && fromJsonText(event.changes)), ...marked })
      return { ...change, after: shown, event: { ...completed, changes }, columns }
    },
  }
  return [effect]
}

/** The columns of a user's row that have the mark. */
export function domainColumns(mark: User['domainAllowed']) {
  return { domain_allowed: mark === false ? 0 : null }
}

/** The changes of an event that reports another mark. */
export function domainChanges(before: User['domainAllowed'], after: User['domainAllowed']): Changes {
  return before === after ? {} : { domain_allowed: { from: before ?? null, to: after ?? null } }
}
