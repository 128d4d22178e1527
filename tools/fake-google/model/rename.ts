import type { Addresses } from './addresses.ts'
import type { WorkspaceState } from './state.ts'

/** Frees an address that is only an alias, as an administrator does before it is given to another. */
export function releaseAlias({ users, groups, addresses }: WorkspaceState, address: string): void {
  const owner = addresses.ownerOf(address)
  if (owner === undefined) return
  dropAlias(users, owner, address, addresses)
  dropAlias(groups, owner, address, addresses)
}

interface WithAliases {
  readonly aliases: readonly string[]
}

function dropAlias<T extends WithAliases>(
  items: Map<string, T>,
  id: string,
  address: string,
  addresses: Addresses,
): void {
  const item = items.get(id)
  const left = item?.aliases.filter((alias) => alias.toLowerCase() !== address.toLowerCase())
  if (item === undefined || left === undefined || left.length === item.aliases.length) return
  items.set(id, { ...item, aliases: left })
  addresses.release(address)
}

/**
 * An item with another main address; the old one becomes an alias or is freed.
 *
 * @throws Error when the address is another's
 */
export function renamed<
  K extends string,
  T extends WithAliases & { readonly id: string } & Readonly<Record<K, string>>,
>(addresses: Addresses, item: T, name: K, address: string, dropOld: boolean): T {
  const old: string = item[name]
  if (old === address) return item
  addresses.claim(address, item.id)
  const isSame = old.toLowerCase() === address.toLowerCase()
  if (dropOld && !isSame) addresses.release(old)
  return { ...item, [name]: address, aliases: dropOld || isSame ? item.aliases : [...item.aliases, old] }
}
