import { maxIndexedLength } from '../../directory/limits.ts'
import { fold } from '../../scim/fold.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import type { GoogleAddress, GoogleTypedValue, GoogleUser } from '../client/items.ts'

/** The maximum number of stored values per attribute: more than Google allows a user to have. */
const maxValues = 100

/** The email addresses without duplicates, the primary one first. */
export function emailsOf({ primaryEmail, emails }: GoogleUser): Json[] {
  const all = distinct(emails.map(({ address, type }) => ({ value: address, type })))
  const isPrimary = ({ value }: GoogleTypedValue) => fold(value) === fold(primaryEmail)
  const first = distinct([{ value: primaryEmail, type: all.find(isPrimary)?.type }])
  const others = all.filter((email) => !isPrimary(email))
  const primary = first.map((email) => ({ ...typedValue(email), primary: true }))
  return [...primary, ...others.map(typedValue)].slice(0, maxValues)
}

export function phoneNumbersOf({ phones }: GoogleUser): Json[] {
  return distinct(phones).map(typedValue).slice(0, maxValues)
}

export function addressesOf({ addresses }: GoogleUser): Json[] {
  const stored = addresses.flatMap((address) => addressValue(address) ?? [])
  const byText = new Map(stored.map((address) => [JSON.stringify(address), address]))
  return sortByKey([...byText]).slice(0, maxValues)
}

function addressValue(address: GoogleAddress): JsonObject | undefined {
  const { type, formatted, streetAddress, locality, region, postalCode, country } = address
  const parts = compactObject({
    formatted: truncatedText(formatted),
    streetAddress: truncatedText(streetAddress),
    locality: truncatedText(locality),
    region: truncatedText(region),
    postalCode: truncatedText(postalCode),
    country: truncatedText(country),
  })
  return parts && compactObject({ ...parts, type: truncatedText(type) })
}

/** Removes duplicates and sorts: Google does not promise an order, and a different order would look like a change. */
function distinct(values: readonly GoogleTypedValue[]): GoogleTypedValue[] {
  const stored = values.flatMap(storableValue)
  const sorted = sortByKey(stored.map((one) => [[fold(one.value), one.value, one.type ?? ''].join('\0'), one] as const))
  return sorted.filter(({ value }, index) => fold(value) !== fold(sorted[index - 1]?.value ?? ''))
}

function storableValue({ value, type }: GoogleTypedValue): GoogleTypedValue[] {
  const text = exactText(value)
  return text === undefined ? [] : [{ value: text, type: truncatedText(type) }]
}

function sortByKey<T>(keyed: readonly (readonly [string, T])[]): T[] {
  return keyed.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, one]) => one)
}

function typedValue({ value, type }: GoogleTypedValue): JsonObject {
  return type === undefined ? { value } : { value, type }
}

/** An object of the properties that are not undefined; undefined if there are none. */
export function compactObject(properties: Readonly<Record<string, Json | undefined>>): JsonObject | undefined {
  const assigned: JsonObject = {}
  for (const [name, value] of Object.entries(properties)) if (value !== undefined) assigned[name] = value
  return Object.keys(assigned).length === 0 ? undefined : assigned
}

/** A text for display, truncated if it is too long; undefined if it is empty. */
export function truncatedText(value: string | undefined, maxLength: number = maxIndexedLength): string | undefined {
  const text = storableText(value)
  if (text === undefined || text.length <= maxLength) return text
  const isSplit = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? maxLength - 1 : maxLength)
}

/** A text that has no meaning when truncated, such as an email address; undefined if it is empty or too long. */
export function exactText(value: string | undefined): string | undefined {
  const text = storableText(value)
  return text === undefined || text.length > maxIndexedLength ? undefined : text
}

/** Removes characters that not every database can store: NUL and lone surrogates. Undefined if nothing is left. */
function storableText(value: string | undefined): string | undefined {
  const text = value?.replaceAll('\0', '').toWellFormed()
  return text === '' ? undefined : text
}
