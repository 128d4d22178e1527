import type { Json } from './json.ts'

/** The error keywords of RFC 7644 §3.12 and RFC 9865 §2.1. */
export const scimTypes = [
  ...(['invalidFilter', 'tooMany', 'uniqueness', 'mutability', 'invalidSyntax', 'invalidPath', 'noTarget'] as const),
  ...(['invalidValue', 'invalidVers', 'sensitive', 'invalidCursor', 'expiredCursor', 'invalidCount'] as const),
] as const
export type ScimType = (typeof scimTypes)[number]

/** An error that is sent to the identity provider (RFC 7644 §3.12). */
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

/** The body of an error response; `status` is a string (RFC 7644 §3.12). */
export function errorBody({ status, scimType, message }: Pick<ScimError, 'status' | 'scimType' | 'message'>) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: message,
  }
}

/**
 * A 400 `invalidValue`.
 *
 * @param detail the necessary change, as a sentence
 */
export function invalidValue(detail: string): ScimError {
  return new ScimError(400, 'invalidValue', detail)
}

/** The error for a value of the wrong type. It names the attribute and never shows the value. */
export function wrongType(name: string, expected: string, value: Json): ScimError {
  return invalidValue(`${name} must be ${expected}, not ${typeName(value)}.`)
}

/** The error for an attribute, sub-attribute or schema that is not defined, in the strict profile. */
export function undefinedName(owner: string, name: string): ScimError {
  return new ScimError(400, 'invalidSyntax', `${owner} has no ${quote(name)}: ${onlyDefined}`)
}

const onlyDefined = 'send only what /Schemas defines.'

/** Returns whether the detail of a refused request is that of a name that only a strict directory rejects. */
export function isUndefinedDetail(detail: string | null): boolean {
  return detail?.endsWith(onlyDefined) === true
}

/** Describes a value without showing it, because it may be a secret. */
function typeName(value: Json): string {
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'number') return 'a number'
  if (typeof value === 'boolean') return 'a boolean'
  return Array.isArray(value) ? 'an array' : 'an object'
}

/**
 * A 400 `invalidFilter` (RFC 7644 §3.12).
 *
 * @param at position of the problem, counted from 1
 */
export function invalidFilter(at: number, what: string): ScimError {
  return new ScimError(400, 'invalidFilter', `Invalid filter at character ${at}: ${what}.`)
}

/** Quotes text from a request for use in a message, cut to 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
