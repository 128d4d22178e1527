import { isEmail } from '../accounts/login.ts'

/** The claim of an entry `claim=value`; undefined for an address and a domain. */
export function claimOf(entry: string): { readonly name: string; readonly value: string } | undefined {
  const at = entry.indexOf('=')
  return at === -1 ? undefined : { name: entry.slice(0, at), value: entry.slice(at + 1) }
}

/** Returns whether a text names administrators: by an email address, as `@domain`, or as `claim=value`. */
export function namesAdministrators(entry: string): boolean {
  const { name, value } = claimOf(entry) ?? {}
  return name === undefined ? isEmail(entry.startsWith('@') ? `any${entry}` : entry) : name !== '' && value !== ''
}

/** The claims of a person (OpenID Connect Core §5.1). */
export type Claims = Readonly<Record<string, unknown>>

/** The first entry that makes a person an administrator. */
export function entryFor(entries: readonly string[], email: string, claims: Claims): string | undefined {
  const address = email.toLowerCase()
  return entries.find((entry) => {
    const { name, value = '' } = claimOf(entry) ?? {}
    if (name !== undefined) return valuesOf(claims, name).includes(value)
    return entry.startsWith('@') ? address.endsWith(entry.toLowerCase()) : address === entry.toLowerCase()
  })
}

/** The texts, numbers and flags of a claim, which may be a list of them. */
function valuesOf(claims: Claims, name: string): string[] {
  const values = Object.hasOwn(claims, name) ? [claims[name]].flat() : []
  return values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String)
}
