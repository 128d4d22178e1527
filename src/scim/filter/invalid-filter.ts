import { ScimError } from '../errors.ts'

/**
 * The refusal of a filter (RFC 7644 §3.12).
 *
 * @param at the character where the trouble is, counted from 1
 */
export function invalidFilter(at: number, what: string): ScimError {
  return new ScimError(400, 'invalidFilter', `Invalid filter at character ${at}: ${what}.`)
}

/** Text from outside as it is quoted in a message: in quotes and not endless. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
