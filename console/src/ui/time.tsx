import { Text } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import { fullTime, relativeTime } from './times.ts'

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
