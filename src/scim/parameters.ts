import { ScimError } from './errors.ts'
import { maxAttributeNames, maxNamesLength } from './limits.ts'

/** Request parameters by name in lower case; those without a value are absent. */
export type Parameters = ReadonlyMap<string, unknown>

/** Longer than the name of any parameter. */
const maxNameLength = 100

/** Reads the parameters of a query string or body; their names are case-insensitive. */
export function readParameters(query: object): Parameters {
  const parameters = new Map<string, unknown>()
  for (const [name, value] of Object.entries(query)) {
    if (name.length <= maxNameLength) parameters.set(name.toLowerCase(), value ?? undefined)
  }
  return parameters
}

/**
 * The attribute names in a parameter: separated by commas in a query string, a list in a body (RFC 7644 §3.4.3).
 *
 * @throws ScimError 400 `invalidValue` when it is neither, or there are too many or too long ones
 */
export function attributeNames(parameters: Parameters, name: string): string[] {
  const value = parameters.get(name.toLowerCase())
  if (value === undefined) return []
  const lists: unknown[] = Array.isArray(value) ? value : [value]
  const names: string[] = []
  let length = 0
  for (const list of lists) {
    if (typeof list !== 'string') throw invalidParameter(name, 'a list of attribute names')
    length += list.length
    if (length > maxNamesLength) throw invalidParameter(name, `at most ${maxNamesLength} characters long`)
    names.push(...list.split(',', maxAttributeNames + 1).map((part) => part.trim()))
    if (names.length > maxAttributeNames) throw invalidParameter(name, `at most ${maxAttributeNames} attribute names`)
  }
  return names.filter((part) => part !== '')
}

/**
 * The error for an invalid parameter.
 *
 * @param expected the required form
 */
export function invalidParameter(name: string, expected: string): ScimError {
  return new ScimError(400, 'invalidValue', `${name} must be ${expected}.`)
}
