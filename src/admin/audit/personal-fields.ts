import { createHash, randomBytes } from 'node:crypto'
import type { AuditEntry } from '../../directory/audit.ts'

/** The fields of an entry that can name a person, and how the API calls them. Each change is a field of its own. */
export const personalFields = { callerName: 'actor.name', address: 'address', changes: 'changes' } as const

type Personal = Pick<AuditEntry, keyof typeof personalFields>

/** The prefix of the name of a change. */
const changePrefix = `${personalFields.changes}.`

/** The personal fields of an entry that have a value, by their name in the API. A change is its JSON text. */
export function personalValues({ callerName, address, changes }: Personal): Map<string, string> {
  const values = new Map<string, string>()
  if (callerName !== undefined) values.set(personalFields.callerName, callerName)
  if (address !== undefined) values.set(personalFields.address, address)
  for (const [name, change] of changesOf(changes)) values.set(name, change)
  return values
}

/** The entry without the values of some personal fields. */
export function withoutFields(entry: AuditEntry, erased: ReadonlySet<string>): AuditEntry {
  const changes = changesOf(entry.changes).filter(([name]) => !erased.has(name))
  const text = changes.map(([name, json]) => `${JSON.stringify(name.slice(changePrefix.length))}:${json}`).join(',')
  return {
    ...entry,
    callerName: erased.has(personalFields.callerName) ? undefined : entry.callerName,
    address: erased.has(personalFields.address) ? undefined : entry.address,
    changes: changes.length === 0 ? undefined : hasName(changes) ? `{${text}}` : entry.changes,
  }
}

/** The changes as names and JSON texts. A text that the service did not write is one field without a name. */
function changesOf(text: string | undefined): (readonly [name: string, json: string])[] {
  if (text === undefined) return []
  const changes = parseExact(text)
  if (changes === undefined || text === '{}') return [[personalFields.changes, text]]
  return Object.entries(changes).map(([name, change]) => [changePrefix + name, JSON.stringify(change)])
}

function hasName(changes: readonly (readonly [name: string, json: string])[]): boolean {
  return changes.every(([name]) => name.startsWith(changePrefix))
}

/** The object in a JSON text; undefined if the text is not exactly what writes it, so that no change of it is overlooked. */
export function parseExact(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && JSON.stringify(value) === text ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** A new salt for each personal field of an entry, as JSON text. */
export function newSalts(entry: Personal): string {
  const names = [...personalValues(entry).keys()]
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, randomBytes(16).toString('base64url')])))
}

/** The digest of a personal field, which takes the place of its value in the hash of the entry. */
export function fieldDigest(name: string, value: string | undefined, salt: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([salt ?? null, name, value ?? null]))
    .digest('base64url')
}
