import type { AccountLink, AccountLinkStore, LinkOutcome } from '../directory/account-links.ts'
import type { AuditWrite } from '../directory/audit.ts'
import { entryAfter, lockAuditHead } from './audit-chain.ts'
import { users } from './users.ts'
import type { Commit, DirectBatch } from './write/batch.ts'
import type { Facts } from './write/facts.ts'
import { WriteCollection } from './write/writes.ts'

const markAccounts = 'update directory_state set has_accounts = 1 where directory_id = $1 and has_accounts = 0'

/** Links between users and the accounts of the product. */
export function createAccountLinkStore(commit: Commit): AccountLinkStore {
  return {
    linkAccounts: (directoryId, links, audit) =>
      // No stored text has a NUL character, and as a parameter it would fail.
      commit(linkBatch(directoryId, links.map(withoutNul), audit)),
  }
}

function withoutNul(link: AccountLink): AccountLink {
  return link.userId.includes('\0') ? { ...link, userId: '' } : link
}

/**
 * Links users to accounts. It makes no event and no new version of a user: no other write names the column, so that none loses the
 * account, whatever it has read, and events get it when they are read.
 *
 * @param replaces whether a user who has another account gets this one
 */
export function linkBatch(
  directoryId: string,
  links: readonly AccountLink[],
  audit?: AuditWrite,
  replaces = true,
): DirectBatch<readonly LinkOutcome[]> {
  return {
    directory: { id: directoryId },
    request: {
      users: [...new Set(links.map(({ userId }) => userId))],
      accounts: [...new Set(links.flatMap(({ accountId }) => accountId ?? []))],
      ...(audit && { reads: { auditHead: lockAuditHead } }),
    },
    decide(facts) {
      const writes = new WriteCollection()
      const outcomes = outcomesOf(links, facts, replaces)
      const changed = links.filter((_, index) => outcomes[index] === 'changed')
      for (const { userId, accountId } of changed)
        writes.update(users, { id: userId }, { account_id: accountId ?? null })
      if (changed.some(({ accountId }) => accountId !== undefined))
        writes.run({ text: markAccounts, values: [directoryId] })
      if (audit !== undefined && changed.length > 0)
        writes.run(...entryAfter(facts.rows['auditHead'], audit).statements)
      return { writes, answer: () => outcomes }
    },
  }
}

function outcomesOf(links: readonly AccountLink[], facts: Facts, replaces: boolean): LinkOutcome[] {
  const linked = new Set<string>()
  const holders = new Map(facts.accounts)
  return links.map(({ userId, accountId }) => {
    const user = facts.users.get(userId)
    if (user === undefined) return 'user-not-found'
    const holder = accountId === undefined ? undefined : holders.get(accountId)
    if (linked.has(userId) || (holder !== undefined && holder !== userId)) return 'account-taken'
    linked.add(userId)
    if (user.accountId === accountId) return 'unchanged'
    if (!replaces && user.accountId !== undefined) return 'account-taken'
    if (accountId !== undefined) holders.set(accountId, userId)
    return 'changed'
  })
}
