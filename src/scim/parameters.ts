import { ScimError } from './errors.ts'

/** Request parameters by name in lower case; those without a value are absent. */
export type Parameters = ReadonlyMap<string, unknown>

/** Reads the parameters of a query string or body; their names are case-insensitive. */
export function readParameters(query: object): Parameters {
  const parameters = new Map<string, unknown>()
  for (const [name, value] of Object.entries(query)) parameters.set(name.toLowerCase(), value ?? undefined)
  return parameters
}

/**
 * The attribute names in a parameter: separated by commas in a query string, a list in a body (RFC 7644 §3.4.3).
 *
 * @throws ScimError 400 `invalidValue` when it is neither
 */
export function attributeNames(parameters: Parameters, name: string): string[] {
  const value = parameters.get(name.toLowerCase())
  if (value === undefined) return []
  const lists: unknown[] = Array.isArray(value) ? value : [value]
  return lists.flatMap((list) => {
    if (typeof list !== 'string') throw invalidParameter(name, 'a list of attribute names')
    return splitNames(list)
  })
}

function splitNames(list: string): string[] {
  const names = list.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

/** The error for an invalid parameter. @param expected what it must be */
export function invalidParameter(name: string, expected: string): ScimError {
  return new ScimError(400, 'invalidValue', `${name} must be ${expected}.`)
}
