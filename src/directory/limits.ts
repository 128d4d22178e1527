import { ScimError } from '../scim/errors.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { toJsonText } from '../scim/json-text.ts'

/**
 * The maximum length of an indexed attribute (`userName`, `externalId`, `displayName`, `emails.value`), in characters:
 * both databases can index that many of any script.
 */
export const maxIndexedLength = 512

/**
 * The maximum size of a user, or of a group without its members, in characters of JSON. Searches read many resources at
 * once and evaluate each one without a pause.
 */
export const maxResourceLength = 262_144

/**
 * The value of an indexed attribute; undefined when it is absent.
 *
 * @throws ScimError 400 `invalidValue` when it is too long or contains NUL
 */
export function indexable(name: string, value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  if (value.length > maxIndexedLength) {
    throw new ScimError(400, 'invalidValue', `${name} must be at most ${maxIndexedLength} characters long.`)
  }
  if (value.includes('\0')) throw new ScimError(400, 'invalidValue', `${name} must not contain the NUL character.`)
  return value
}

/** JSON escapes a surrogate only when its other half is missing; after an even number of backslashes it is text. */
// Linear: only the first backslash of a run begins a match.
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

/**
 * The text of a resource to store.
 *
 * @throws ScimError 413 when it is too large, 400 `invalidValue` when a text in it is not valid Unicode
 */
export function resourceText(resource: JsonObject): JsonText<JsonObject> {
  // As JSON, a value takes up to six times its length.
  if (charactersLeft(resource, maxResourceLength) < 0) throw tooLarge('more')
  const text = toJsonText(resource)
  if (text.includes('\\ud') && loneSurrogate.test(text)) {
    throw new ScimError(
      400,
      'invalidValue',
      'A resource must not contain half of a surrogate pair: send valid Unicode.',
    )
  }
  if (text.length > maxResourceLength) throw tooLarge(String(text.length))
  return text
}

/** The allowance minus the characters of all strings in a value; negative as soon as it is used up. */
function charactersLeft(value: Json, allowance: number): number {
  if (typeof value === 'string') return allowance - value.length
  if (typeof value !== 'object' || value === null) return allowance
  let left = allowance
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (left < 0) return left
    left = charactersLeft(part, left)
  }
  return left
}

function tooLarge(length: string): ScimError {
  const rule = `A resource may have ${maxResourceLength} characters of JSON, not counting members`
  return new ScimError(413, undefined, `${rule}; this one has ${length}.`)
}
