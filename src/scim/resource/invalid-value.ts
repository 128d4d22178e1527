import { ScimError } from '../errors.ts'
import type { Json } from '../json.ts'

/** The refusal of a value (RFC 7644 §3.12). @param detail what to change, as a sentence */
export function invalidValue(detail: string): ScimError {
  return new ScimError(400, 'invalidValue', detail)
}

/** The refusal of a value that is not what the attribute holds. It names the attribute and never shows the value. */
export function wrongType(name: string, expected: string, value: Json): ScimError {
  return invalidValue(`${name} must be ${expected}, not ${typeName(value)}.`)
}

/** Names what was sent without showing it: the value may be a secret. */
function typeName(value: Json): string {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'a number'
  if (typeof value === 'boolean') return 'a boolean'
  return Array.isArray(value) ? 'an array' : 'an object'
}
