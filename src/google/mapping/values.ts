import { fold } from '../../scim/fold.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import type { GoogleAddress, GoogleTypedValue, GoogleUser } from '../client/items.ts'
import { given } from './given.ts'
import { keptText, wholeText } from './kept-text.ts'

/** How many values of one kind are kept of a user: more than Google lets one have. */
const maxValues = 100

/** The e-mail addresses: the primary one first, each once. */
export function emailsOf({ primaryEmail, emails }: GoogleUser): Json[] {
  const all = distinct(emails.map(({ address, type }) => ({ value: address, type })))
  const isPrimary = ({ value }: GoogleTypedValue) => fold(value) === fold(primaryEmail)
  const first = distinct([{ value: primaryEmail, type: all.find(isPrimary)?.type }])
  const others = all.filter((one) => !isPrimary(one))
  const primary = first.map((one) => ({ ...typedValue(one), primary: true }))
  return [...primary, ...others.map(typedValue)].slice(0, maxValues)
}

export function phoneNumbersOf({ phones }: GoogleUser): Json[] {
  return distinct(phones).map(typedValue).slice(0, maxValues)
}

export function addressesOf({ addresses }: GoogleUser): Json[] {
  const kept = addresses.flatMap((address) => keptAddress(address) ?? [])
  const byText = new Map(kept.map((address) => [JSON.stringify(address), address]))
  return inOrder([...byText]).slice(0, maxValues)
}

function keptAddress(address: GoogleAddress): JsonObject | undefined {
  const { type, formatted, streetAddress, locality, region, postalCode, country } = address
  const parts = given({
    formatted: keptText(formatted),
    streetAddress: keptText(streetAddress),
    locality: keptText(locality),
    region: keptText(region),
    postalCode: keptText(postalCode),
    country: keptText(country),
  })
  return parts && given({ ...parts, type: keptText(type) })
}

/**
 * What is kept of the values, each once, in an order of their own: Google does not promise one, and another order would
 * look like a change.
 */
function distinct(values: readonly GoogleTypedValue[]): GoogleTypedValue[] {
  const kept = values.flatMap(keptValue)
  const sorted = inOrder(kept.map((one) => [[fold(one.value), one.value, one.type ?? ''].join('\0'), one] as const))
  return sorted.filter(({ value }, index) => fold(value) !== fold(sorted[index - 1]?.value ?? ''))
}

function keptValue({ value, type }: GoogleTypedValue): GoogleTypedValue[] {
  const kept = wholeText(value)
  return kept === undefined ? [] : [{ value: kept, type: keptText(type) }]
}

function inOrder<T>(keyed: readonly (readonly [string, T])[]): T[] {
  return keyed.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, one]) => one)
}

function typedValue({ value, type }: GoogleTypedValue): JsonObject {
  return type === undefined ? { value } : { value, type }
}
