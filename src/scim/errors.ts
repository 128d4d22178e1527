import type { Json } from './json.ts'

/** The error keywords of RFC 7644 §3.12 and RFC 9865 §2.1. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount'

/** A refusal that the identity provider is told about (RFC 7644 §3.12). */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** The body of an error answer; `status` is text (RFC 7644 §3.12). */
export function errorBody({ status, scimType, message }: Pick<ScimError, 'status' | 'scimType' | 'message'>) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: message,
  }
}

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
