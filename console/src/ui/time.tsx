import { Text } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long ago a time is, or how far ahead. */
export function relativeTime(at: string, language: string, now = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit)
}

export function fullTime(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}

/** A time as people say it; the exact one in its title. */
export function Time({ at, exact = false }: { readonly at: string | null | undefined; readonly exact?: boolean }) {
  const texts = useTexts()
  if (at === null || at === undefined)
    return (
      <Text span c="dimmed" inherit>
        {texts.times.never}
      </Text>
    )
  const full = fullTime(at, texts.language)
  return (
    <time dateTime={at} title={full}>
      {exact ? full : relativeTime(at, texts.language)}
    </time>
  )
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
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(Number(value))
}
