import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ApiError } from '../../../api/http.ts'
import { request, withQuery } from '../../../api/http.ts'
import type { DeadEvent } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Empty } from '../../../ui/states.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { EventSubject } from '../../steps.tsx'
import { useDirectoryPath } from './directory.tsx'
import { ReplayButton } from './event.tsx'

interface DeadEventsPageData {
  readonly data: readonly DeadEvent[]
  readonly next?: number
}

/** The dead events, by their sequence. */
function useDeadEvents(path: string) {
  return useInfiniteQuery<DeadEventsPageData, ApiError, readonly DeadEvent[], readonly unknown[], number>({
    queryKey: [path, 'rows'],
    queryFn: ({ pageParam }) => request('GET', withQuery(path, { limit: 50, after: pageParam })),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchInterval: 5_000,
  })
}

/** The events that the endpoint rejected for good. */
export function DeadEventsPage() {
  const texts = useTexts()
  const events = useDeadEvents(`${useDirectoryPath()}/dead-events`)
  return (
    <>
      {(events.data?.length ?? 0) === 0 ? null : (
        <Text size="sm" c="dimmed" mb="md" maw={680}>
          {texts.dead.text}
        </Text>
      )}
      <PagedTable
        label={texts.dead.title}
        query={events}
        keyOf={({ sequence }) => String(sequence)}
        columns={[
          {
            title: texts.dead.event,
            cell: ({ sequence, payload }) => (
              <>
                <Link to={`../events/${sequence}`} relative="path">
                  {sequence}
                </Link>{' '}
                · <code>{payload.event}</code> · <EventSubject event={payload} />
              </>
            ),
          },
          { title: texts.dead.reason, cell: ({ reason, skipped }) => (skipped ? texts.dead.skipped(reason) : reason) },
          { title: texts.dead.diedAt, cell: ({ died_at }) => <Time at={died_at} /> },
          { title: texts.events.replay, cell: ({ sequence }) => <ReplayButton sequence={sequence} /> },
        ]}
        empty={<Empty icon="check" title={texts.dead.empty} text={texts.dead.emptyText} />}
      />
    </>
  )
}
