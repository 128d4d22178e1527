/** The form of a page's language that the reader prefers, such as `en-GB` on a page in English. */
export function localeFor(language: string, preferred: readonly string[] = navigator.languages): string {
  return preferred.find((tag) => tag === language || (tag.startsWith(`${language}-`) && isTag(tag))) ?? language
}

/** Browsers take languages from the system, which has names like `en-US@posix`. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Units with their length in seconds, and how many of one there must be: "in 29 days", not "next month". */
const units = [
  ['year', 31_536_000, 2],
  ['month', 2_592_000, 4],
  ['day', 86_400, 2],
  ['hour', 3_600, 2],
  ['minute', 60, 2],
] as const

/** How long ago a time is, or how far ahead. */
export function relativeTime(at: string, language: string, now = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  // The words of calendars, such as "yesterday", would need the time zone: only "now" is used.
  const form = new Intl.RelativeTimeFormat(localeFor(language), { numeric: seconds === 0 ? 'auto' : 'always' })
  const [unit, length] = units.find(([, size, least]) => Math.abs(seconds) >= size * least) ?? ['second', 1]
  return form.format(Math.trunc(seconds / length), unit)
}

/** The time zone of all times in the console: that of the service's own sentences, and of the days that it counts. */
export const consoleTimeZone = 'UTC'

/** A time in the zone of the console, with the name of the zone, as the language writes it. */
export function fullTime(at: string, language: string): string {
  return timeForm(language, { timeZone: consoleTimeZone }).format(new Date(at))
}

/** A time in the zone of the browser, with the name of the zone: that of an administrator's own clock. */
export function localTime(at: string, language: string): string {
  return timeForm(language, {}).format(new Date(at))
}

function timeForm(language: string, zone: Pick<Intl.DateTimeFormatOptions, 'timeZone'>): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(localeFor(language), { dateStyle: 'medium', timeStyle: 'long', ...zone })
}

/** A duration in the unit that reads best. */
export function duration(ms: number | null, language: string): string {
  if (ms === null) return '–'
  const [value, unit] =
    ms < 1_000
      ? [ms, 'millisecond']
      : ms < 120_000
        ? [ms / 1_000, 'second']
        : ms < 7_200_000
          ? [ms / 60_000, 'minute']
          : [ms / 3_600_000, 'hour']
  const digits = Number(value) < 10 && unit !== 'millisecond' ? 1 : 0
  return new Intl.NumberFormat(localeFor(language), {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(Number(value))
}
