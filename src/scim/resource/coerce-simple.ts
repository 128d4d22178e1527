import { invalidValue, wrongType } from '../errors.ts'
import type { Json } from '../json.ts'
import type { AttributeType } from '../schema/schema.ts'

type SimpleType = Exclude<AttributeType, 'complex' | 'any'>

/** The JSON type of a simple attribute, and its name in messages. */
const jsonTypes: Readonly<Record<SimpleType, readonly [type: string, name: string]>> = {
  string: ['string', 'a string'],
  reference: ['string', 'a string'],
  binary: ['string', 'a string'],
  dateTime: ['string', 'a string'],
  boolean: ['boolean', 'true or false'],
  integer: ['number', 'an integer'],
  decimal: ['number', 'a number'],
}

const integerText = /^[+-]?\d{1,15}$/

/** Base64 or base64url, with or without line breaks (RFC 7643 §2.3.6). */
const base64 = /^[a-z0-9+/_\s-]*={0,2}$/i

const decimalText = /^[+-]?\d{1,15}(\.\d{1,15})?(e[+-]?\d{1,2})?$/i

/**
 * Converts the value of an attribute without sub-attributes (RFC 7643 §2.3). Booleans and numbers may be sent as text, and
 * text as a number, unless the profile is strict.
 *
 * @returns undefined for empty text, with which some products clear an attribute
 * @throws ScimError 400 `invalidValue` for a value of another type
 */
export function coerceSimple(type: SimpleType, value: Json, name: string, isStrict: boolean): Json | undefined {
  const [jsonType, expected] = jsonTypes[type]
  if (isStrict && typeof value !== jsonType) throw wrongType(name, expected, value)
  switch (type) {
    case 'boolean':
      return coerceBoolean(value, name)
    case 'integer':
      return coerceInteger(value, name)
    case 'decimal':
      return coerceDecimal(value, name)
    case 'dateTime':
      return value === '' ? undefined : coerceDateTime(value, name)
    case 'binary':
      return coerceBinary(value, name)
    default:
      return coerceText(value, name)
  }
}

function coerceText(value: Json, name: string): string | undefined {
  const text = typeof value === 'number' ? digitsOf(value) : value
  if (typeof text !== 'string') throw wrongType(name, 'a string', value)
  return text === '' ? undefined : text
}

/** A number as the text that was probably meant; undefined if it has an exponent or has lost digits. */
export function digitsOf(number: number): string | undefined {
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return undefined
  const text = String(number)
  return text.includes('e') ? undefined : text
}

function coerceBinary(value: Json, name: string): string | undefined {
  if (typeof value !== 'string') throw wrongType(name, 'a string', value)
  if (value === '') return undefined
  if (base64.test(value.trimEnd())) return value
  throw invalidValue(`${name} must be valid base64.`)
}

function coerceBoolean(value: Json, name: string): boolean | undefined {
  if (value === '') return undefined
  const boolean = booleanOf(value)
  if (boolean === undefined) throw wrongType(name, 'true or false', value)
  return boolean
}

/** A boolean, or its text in any letter case; undefined for anything else. */
export function booleanOf(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value
  const folded = typeof value === 'string' ? value.toLowerCase() : undefined
  if (folded === 'true') return true
  return folded === 'false' ? false : undefined
}

function coerceInteger(value: Json, name: string): number {
  const number = typeof value === 'string' && integerText.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number)) return number
  throw wrongType(name, 'an integer', value)
}

function coerceDecimal(value: Json, name: string): number {
  const number = typeof value === 'string' && decimalText.test(value) ? Number(value) : value
  if (typeof number === 'number') return number
  throw wrongType(name, 'a number', value)
}

function coerceDateTime(value: Json, name: string): string {
  if (typeof value === 'string' && !Number.isNaN(instantOf(value))) return value
  throw wrongType(name, 'a date and time such as "2026-11-20T08:00:00Z"', value)
}

const dateTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i

// Linear: what follows a T contains no other T.
const timeWithoutZone = /T[^TZ+-]*$/

/** The Unix milliseconds of a dateTime (RFC 7643 §2.3.5), in UTC when it has no time zone; NaN when it is invalid. */
export function instantOf(text: string): number {
  if (!dateTime.test(text)) return Number.NaN
  const upper = text.toUpperCase()
  return Date.parse(timeWithoutZone.test(upper) ? `${upper}Z` : upper)
}
