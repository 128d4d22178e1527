/** A user as a test knows it; addresses are in any letter case. */
export interface NaiveUser {
  readonly id: string
  readonly userName: string
  readonly externalId?: string | undefined
  readonly emails: readonly string[]
  readonly accountId?: string | undefined
}

/** An account as it is sent. */
export interface NaiveAccount {
  readonly account_id: string
  readonly external_id?: string | null | undefined
  readonly user_name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** An entry of a plan, without what it shows of users but their ids. */
export interface NaiveEntry {
  readonly kind: string
  readonly reason?: string
  readonly accounts: readonly string[]
  readonly users: readonly string[]
}

const lower = (text: string) => text.toLowerCase()

/**
 * The plan of a list, by comparing every account with every user: slow, and written from the documentation alone. The entries are in no
 * particular order.
 *
 * @param domains the allowed domains; none: any
 */
export function naivePlan(
  accounts: readonly NaiveAccount[],
  users: readonly NaiveUser[],
  domains: readonly string[] = [],
): NaiveEntry[] {
  const isOutside = (text: string) =>
    domains.length > 0 && !domains.some((domain) => lower(text).endsWith(`@${domain}`) && text.split('@').length === 2)
  const addresses = ({ emails, userName }: NaiveUser) => (emails.length === 0 ? [userName] : emails).map(lower)
  const fit = ({ external_id, user_name, email }: NaiveAccount): readonly NaiveUser[] => {
    const name = user_name && !(user_name.includes('@') && isOutside(user_name)) ? lower(user_name) : undefined
    const address = email && !isOutside(email) ? lower(email) : undefined
    const found = [
      external_id ? users.filter((user) => user.externalId === external_id) : [],
      name ? users.filter((user) => lower(user.userName) === name) : [],
      address ? users.filter((user) => addresses(user).includes(address)) : [],
    ]
    return found.find(({ length }) => length > 0) ?? []
  }
  const fits = accounts.map((account) => ({ id: account.account_id, users: fit(account) }))
  const fitting = (user: NaiveUser) => fits.filter((one) => one.users.includes(user)).map(({ id }) => id)
  const holderOf = (id: string) => users.find(({ accountId }) => accountId === id)
  const entries = fits.map(({ id, users: found }): NaiveEntry => {
    const holder = holderOf(id)
    const ids = found.map((user) => user.id)
    const conflict = (reason: string, those: readonly string[], their: readonly string[]) => ({
      ...{ kind: 'conflict', reason, accounts: those.toSorted(), users: their.toSorted() },
    })
    if (holder !== undefined && (found.length === 0 || found.includes(holder)))
      return { kind: 'linked', accounts: [id], users: [holder.id] }
    const [user] = found
    if (user === undefined) return { kind: 'unmatched', accounts: [id], users: [] }
    if (holder !== undefined) return conflict('account-linked', [id], [holder.id, ...ids])
    if (found.length > 1) return conflict('several-users', [id], ids)
    if (user.accountId !== undefined) return conflict('user-linked', [id, user.accountId], ids)
    if (fitting(user).length > 1) return conflict('several-accounts', fitting(user), ids)
    return { kind: 'link', accounts: [id], users: ids }
  })
  const created = users.filter((user) => user.accountId === undefined && fitting(user).length === 0)
  const all = [...entries, ...created.map(({ id }) => ({ kind: 'create', accounts: [], users: [id] }))]
  // Several accounts that match a user have one entry.
  return [...new Map(all.map((entry) => [JSON.stringify(entry), entry])).values()]
}

/** An entry of a plan as the API returns it, for comparisons with `naivePlan`. */
export function naiveEntry(entry: object): NaiveEntry {
  const { kind, reason, account_id, account_ids, user, users } = entry as {
    readonly kind: string
    readonly reason?: string
    readonly account_id?: string
    readonly account_ids?: readonly string[]
    readonly user?: { readonly id: string }
    readonly users?: readonly { readonly id: string }[]
  }
  const accounts = account_ids ?? (account_id === undefined ? [] : [account_id])
  const ids = (users ?? (user === undefined ? [] : [user])).map(({ id }) => id)
  return {
    ...(reason === undefined ? { kind } : { kind, reason }),
    ...{ accounts: accounts.toSorted(), users: ids.toSorted() },
  }
}

/** Entries in an order of their own. */
export function inOrder(entries: readonly NaiveEntry[]): string[] {
  return entries.map((entry) => JSON.stringify([entry.kind, entry.reason, entry.accounts, entry.users])).sort()
}
