import { instantOf } from '../scim/resource/coerce-simple.ts'

/** The last millisecond of the year 9999, the last with four digits in ISO 8601. */
const latest = 253_402_300_799_999

/** Parses ISO 8601 (UTC if it has no zone) or Unix milliseconds, as a number or text; undefined if it is neither. */
export function parseInstant(input: string | number): number | undefined {
  const isNumber = typeof input === 'number' || /^\d{1,15}$/.test(input)
  const at = isNumber ? Number(input) : instantOf(input)
  return Number.isSafeInteger(at) && at >= 0 && at <= latest ? at : undefined
}

/** Unix milliseconds as ISO 8601, in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
