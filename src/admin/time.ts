import { instantOf } from '../scim/resource/coerce-simple.ts'

/** The last millisecond of the year 9999: what ISO 8601 writes with four digits. */
const latest = 253_402_300_799_999

/**
 * A time as callers give it: ISO 8601 (UTC when it names no zone), or Unix milliseconds as a number or as text; undefined
 * when it is neither.
 */
export function parseInstant(given: string | number): number | undefined {
  const isNumber = typeof given === 'number' || /^\d{1,15}$/.test(given)
  const at = isNumber ? Number(given) : instantOf(given)
  return Number.isSafeInteger(at) && at >= 0 && at <= latest ? at : undefined
}

/** Unix milliseconds as ISO 8601, in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
