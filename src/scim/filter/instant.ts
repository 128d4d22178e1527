const dateTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i
const timeWithoutZone = /T[^Z+-]*$/

/** Unix milliseconds of a dateTime (RFC 7643 §2.3.5), taken as UTC when it names no zone; NaN when it is none. */
export function instantOf(text: string): number {
  if (!dateTime.test(text)) return Number.NaN
  const upper = text.toUpperCase()
  return Date.parse(timeWithoutZone.test(upper) ? `${upper}Z` : upper)
}
