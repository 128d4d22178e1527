import { timingSafeEqual } from 'node:crypto'
import type { AuditEntry } from '../../directory/audit.ts'
import { hashEntry, sealErasure } from './chain.ts'
import { erasedDigests, erasedText, saltsOf } from './erased-fields.ts'
import { fieldDigest, personalFields, personalValues, withoutFields } from './personal-fields.ts'

/**
 * Whether the service wrote an entry as it is: its hash is right, and so is the seal of what was erased. The hash of an
 * entry of an older version, which contains the erased values themselves, is covered by the seal.
 */
export function isUnchanged(key: string, entry: AuditEntry): boolean {
  const { hash, ...unsealed } = entry
  if (entry.salts !== undefined && saltsOf(entry.salts) === undefined) return false
  const isHashed = () => isSame(hashEntry(key, unsealed), hash)
  if (entry.erased === undefined) return isHashed()
  const { seal } = erasedDigests(entry.erased) ?? {}
  return isSame(sealErasure(key, entry), seal ?? '') && (entry.salts === undefined || isHashed())
}

/**
 * The entry without the personal fields whose values name somebody, and without their salts; undefined if there are none.
 * Its hash stays. The network address of a caller who is named is erased as well. An entry that was changed by others
 * stays recognizable as changed.
 */
export function withoutPerson(
  key: string,
  entry: AuditEntry,
  names: (value: string) => boolean,
): AuditEntry | undefined {
  const values = personalValues(entry)
  const named = new Set([...values].filter(([, value]) => names(value)).map(([name]) => name))
  if (named.has(personalFields.callerName) && values.has(personalFields.address)) named.add(personalFields.address)
  if (named.size === 0) return undefined
  const salts = saltsOf(entry.salts)
  const digestOf = (name: string) =>
    entry.salts === undefined ? '' : fieldDigest(name, values.get(name), salts?.get(name))
  const digests = { ...erasedDigests(entry.erased)?.fields }
  for (const name of named) digests[name] = digestOf(name)
  const kept = [...(salts ?? [])].filter(([name]) => !named.has(name))
  const erased = {
    ...withoutFields(entry, named),
    salts: entry.salts === undefined ? undefined : JSON.stringify(Object.fromEntries(kept)),
    erased: erasedText(digests, ''),
  }
  const seal = isUnchanged(key, entry) ? sealErasure(key, erased) : 'invalid'
  return { ...erased, erased: erasedText(digests, seal) }
}

function isSame(one: string, other: string): boolean {
  const [found, expected] = [Buffer.from(one), Buffer.from(other)]
  return found.length === expected.length && timingSafeEqual(found, expected)
}
