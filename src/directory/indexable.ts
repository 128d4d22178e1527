import { ScimError } from '../scim/errors.ts'
import type { Json } from '../scim/json.ts'

/** Longest value of an attribute that is looked up, in characters: both databases index that much of any script. */
export const maxIndexedLength = 512

/**
 * The text of an attribute that is looked up; undefined when it is absent.
 *
 * @throws ScimError 400 `invalidValue` when no index can hold it
 */
export function indexable(name: string, value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  if (value.length > maxIndexedLength) {
    throw new ScimError(400, 'invalidValue', `${name} must be at most ${maxIndexedLength} characters long.`)
  }
  if (value.includes('\0')) throw new ScimError(400, 'invalidValue', `${name} must not contain the NUL character.`)
  return value
}
