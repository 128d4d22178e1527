import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { ApiError } from '../../api/http.ts'
import { request, withQuery } from '../../api/http.ts'
import { dsync } from '../../api/queries.ts'
import type { ListedHealth, ScimRequest } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import type { Bar } from '../../ui/bars.tsx'
import { Section } from '../../ui/page.tsx'

/** Charts take more script than all pages together, so they come after the rest. */
const Bars = lazy(async () => ({ default: (await import('../../ui/bars.tsx')).Bars }))

const minuteMs = 60_000
const minutes = 60
/** How many directories are counted: those that changed last. */
const maxDirectories = 5
const requestsPerDirectory = 500

/** The events that the requests of a directory caused, by the minute. */
async function countEvents(id: string, since: number): Promise<readonly { at: number; events: number }[]> {
  const path = withQuery(`${dsync}/${id}/requests`, { pageLimit: requestsPerDirectory, status: '2xx' })
  const { data } = await request<{ data: readonly ScimRequest[] }>('GET', path)
  return data
    .map(({ at, event_sequences: sequences }) => ({ at: Date.parse(at), events: sequences.length }))
    .filter(({ at, events }) => events > 0 && at >= since)
}

/** How many events each of the last sixty minutes had. */
export function EventsPerMinute({ directories }: { readonly directories: readonly ListedHealth[] }) {
  const texts = useTexts()
  const recent = directories
    .filter(({ last_change_at: at }) => at !== null && Date.now() - Date.parse(at) < minutes * minuteMs)
    .toSorted((a, b) => (b.last_change_at ?? '').localeCompare(a.last_change_at ?? ''))
    .slice(0, maxDirectories)
    .map(({ directory_id: id }) => id)
  const counts = useQuery<readonly Bar[], ApiError>({
    queryKey: [`${dsync}/events-per-minute`, recent.toSorted()],
    queryFn: async () => {
      const end = Math.floor(Date.now() / minuteMs) * minuteMs
      const start = end - (minutes - 1) * minuteMs
      const found = (await Promise.all(recent.map((id) => countEvents(id, start)))).flat()
      const clock = new Intl.DateTimeFormat(texts.language, { hour: '2-digit', minute: '2-digit' })
      return Array.from({ length: minutes }, (_, index) => {
        const at = start + index * minuteMs
        const inMinute = found.filter((one) => one.at >= at && one.at < at + minuteMs)
        return { at: clock.format(at), value: inMinute.reduce((sum, { events }) => sum + events, 0) }
      })
    },
    refetchInterval: 30_000,
  })
  const total = counts.data?.reduce((sum, { value }) => sum + value, 0) ?? 0
  return (
    <Section title={texts.overview.activity} description={texts.overview.activityText}>
      {counts.data === undefined ? (
        <Skeleton height={180} />
      ) : total === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.overview.activityEmpty}
        </Text>
      ) : (
        <Suspense fallback={<Skeleton height={180} />}>
          <Bars
            bars={counts.data}
            label={texts.overview.activityLabel(total, Math.max(...counts.data.map(({ value }) => value)))}
            name={texts.overview.events}
          />
        </Suspense>
      )}
    </Section>
  )
}
