import { timingSafeEqual } from 'node:crypto'
import type { AuditEntry } from '../../directory/audit.ts'
import { hashEntry, sealErasure } from './chain.ts'
import { erasedDigests, erasedText, saltsOf } from './erased-fields.ts'
import { fieldDigest, personalFields, personalValues, withoutFields } from './personal-fields.ts'

/**
 * Returns whether the service wrote an entry as it is: its hash is right, and so is the seal of what was erased.
 */
export function isUnchanged(key: string, entry: AuditEntry): boolean {
  const { hash, ...unsealed } = entry
  if (saltsOf(entry.salts) === undefined || !isSame(hashEntry(key, unsealed), hash)) return false
  if (entry.erased === undefined) return true
  const { seal } = erasedDigests(entry.erased) ?? {}
  return isSame(sealErasure(key, entry), seal ?? '')
}

/** How a person is found in the audit trail. Entries about other tenants and products are left alone, those about none are not. */
export interface AuditedPerson {
  readonly tenant: string
  readonly product: string
  /** Returns whether a text names the person. */
  readonly isNamedIn: (text: string) => boolean
  /** Returns whether a text says something about the person, if it is in an entry that names the person. */
  readonly isMentionedIn: (text: string) => boolean
}

/**
 * The entry without the personal fields that concern a person, and without their salts; undefined if it does not name the
 * person. Its hash stays. The network address of a caller who is named is erased as well. An entry that was changed by
 * others stays recognizable as changed.
 */
export function withoutPerson(key: string, entry: AuditEntry, person: AuditedPerson): AuditEntry | undefined {
  const values = personalValues(entry)
  const concerned = fieldsAbout(entry, values, person)
  if (concerned.size === 0) return undefined
  const salts = saltsOf(entry.salts)
  const added = [...concerned].map((name) => [name, fieldDigest(name, values.get(name), salts?.get(name))] as const)
  const digests = { ...erasedDigests(entry.erased)?.fields, ...Object.fromEntries(added) }
  const kept = [...(salts ?? [])].filter(([name]) => !concerned.has(name))
  const erased = {
    ...withoutFields(entry, concerned),
    salts: JSON.stringify(Object.fromEntries(kept)),
    erased: erasedText(digests, ''),
  }
  const seal = isUnchanged(key, entry) ? sealErasure(key, erased) : 'invalid'
  return { ...erased, erased: erasedText(digests, seal) }
}

function fieldsAbout({ tenant, product }: AuditEntry, values: ReadonlyMap<string, string>, person: AuditedPerson) {
  const isInScope = (tenant ?? person.tenant) === person.tenant && (product ?? person.product) === person.product
  const fieldsWith = (isIn: (text: string) => boolean) =>
    [...values].flatMap(([name, value]) => (isIn(value) ? [name] : []))
  const named = isInScope ? fieldsWith(person.isNamedIn) : []
  if (named.length === 0) return new Set<string>()
  const isCaller = named.includes(personalFields.callerName) && values.has(personalFields.address)
  return new Set([...named, ...fieldsWith(person.isMentionedIn), ...(isCaller ? [personalFields.address] : [])])
}

function isSame(one: string, other: string): boolean {
  const [found, expected] = [Buffer.from(one), Buffer.from(other)]
  return found.length === expected.length && timingSafeEqual(found, expected)
}
