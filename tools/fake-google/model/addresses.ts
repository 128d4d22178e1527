/** Whose an e-mail address is. Each belongs to one user or group, in any case of letters. */
export interface Addresses {
  ownerOf(address: string): string | undefined
  /** @throws Error when it is another's */
  claim(address: string, ownerId: string): void
  release(address: string): void
}

/** No addresses yet. */
export function createAddresses(): Addresses {
  const owners = new Map<string, string>()
  return {
    ownerOf: (address) => owners.get(address.toLowerCase()),
    claim(address, ownerId) {
      const owner = owners.get(address.toLowerCase())
      if (owner !== undefined && owner !== ownerId) throw new Error(`the address ${address} is taken`)
      owners.set(address.toLowerCase(), ownerId)
    },
    release(address) {
      owners.delete(address.toLowerCase())
    },
  }
}
