import { domainToASCII } from 'node:url'
import { invalidValue } from '../scim/errors.ts'
import { fold } from '../scim/fold.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { emailValues } from '../scim/resource/user-fields.ts'
import type { DomainRules } from './directory.ts'
import { throwProblems } from './errors.ts'
import type { IndexedUser, ReplacedUser, User } from './user.ts'

export const maxDomains = 100

/**
 * The ASCII form of a domain, in lower case; undefined unless the text is one. Other characters are not accepted, because
 * `domainToASCII` would drop them, or everything behind them.
 */
function domainOf(text: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return undefined
  const domain = domainToASCII(text)
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain) && domain.length <= 253 ? domain : undefined
}

/** An address whose domain cannot be mistaken: nothing in it is quoted, commented, listed or escaped. */
const plainAddress = /^[^\s@,;:<>()[\]\\"]+@([^@]+)$/

/** Returns whether an address is in one of these domains. */
export function isAddressAllowed(address: string, allowed: readonly string[]): boolean {
  const domain = domainOf(plainAddress.exec(address)?.[1] ?? '')
  return domain !== undefined && allowed.includes(domain)
}

/** Returns whether a userName may be taken for an address. */
export function mayBeAddress(userName: string): boolean {
  return userName.normalize('NFKC').includes('@')
}

/** The addresses of a user that are not in an allowed domain. Without addresses, a userName that may be one is judged. */
function outsideAddresses(
  { allowed }: DomainRules,
  { userName, emails }: Pick<IndexedUser, 'userName' | 'emails'>,
): readonly string[] {
  if (allowed.length === 0) return []
  const addresses = emails.length > 0 ? emails : mayBeAddress(userName) ? [fold(userName)] : []
  return addresses.filter((address) => !isAddressAllowed(address, allowed))
}

/** The mark of a user: false if an address is outside the allowed domains, else undefined. */
export function domainAllowed(
  rules: DomainRules | undefined,
  user: Pick<IndexedUser, 'userName' | 'emails'>,
): false | undefined {
  return rules !== undefined && outsideAddresses(rules, user).length > 0 ? false : undefined
}

/** The mark of a stored user, by the present rules. */
export function domainAllowedOfStored(
  rules: DomainRules | undefined,
  { userName, raw }: Pick<User, 'userName' | 'raw'>,
): false | undefined {
  if (rules === undefined) return undefined
  return domainAllowed(rules, { userName, emails: emailValues(fromJsonText(raw)).map(fold) })
}

/**
 * Refuses a user who gets an address outside the allowed domains, or who has one and becomes active. A user who had it before the domains
 * were set can still be changed, and above all be deactivated.
 *
 * @param before undefined for a user who is created
 * @throws ScimError 400 `invalidValue`, if the directory refuses such users
 */
export function refuseOutside(
  rules: DomainRules | undefined,
  before: Pick<ReplacedUser, 'userName' | 'emails' | 'active'> | undefined,
  after: IndexedUser,
): void {
  if (rules?.outside !== 'refuse') return
  const isActivated = after.active && before?.active !== true
  const had = before === undefined || isActivated ? [] : outsideAddresses(rules, before)
  const [address] = outsideAddresses(rules, after).filter((one) => !had.includes(one))
  if (address === undefined) return
  const values = emailValues(fromJsonText(after.raw))
  const field = values.length > 0 ? 'emails.value' : 'userName'
  const sent = values.find((value) => fold(value) === address) ?? after.userName
  const { allowed } = rules
  const named = allowed.length > maxNamed ? [...allowed.slice(0, maxNamed), '…'] : allowed
  throw invalidValue(
    `${field}: ${sent.slice(0, 320)} ${outside} (${named.join(', ')}): use an address in one of them, or have the operator of the application add its domain.`,
  )
}

const maxNamed = 10
const outside = 'is not in an allowed domain of this directory'

/** Returns whether the detail of a refused request is that of an address outside the allowed domains. */
export function isOutsideDetail(detail: string | null): boolean {
  return detail?.includes(` ${outside} (`) === true
}

/** The rules after an update: an omitted field keeps its value. @throws DirectoryError `invalid-input` */
export function changedDomains(
  fields: {
    readonly allowed_domains?: readonly string[] | null
    readonly outside_domains?: DomainRules['outside']
  },
  before: DomainRules | undefined,
): DomainRules | undefined {
  const { allowed_domains: given = before?.allowed ?? [], outside_domains: action = before?.outside ?? 'flag' } = fields
  const wrong = (given ?? []).filter((text) => domainOf(text) === undefined)
  throwProblems(
    wrong.map((text) => ({
      field: 'allowed_domains',
      message: `allowed_domains: ${JSON.stringify(text)} is not a domain: send names like acme.com, without "@" and "*". List subdomains one by one.`,
    })),
  )
  const allowed = [...new Set((given ?? []).flatMap((text) => domainOf(text) ?? []))]
  return allowed.length === 0 && action === 'flag' ? undefined : { allowed, outside: action }
}
