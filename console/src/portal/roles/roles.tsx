import { Alert, Button, Loader, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../texts/use-texts.tsx'
import type { RolesRun } from './api.ts'
import { listGroups } from './api.ts'
import { GroupRow } from './group-row.tsx'
import { RunProgress, useRun } from './run-progress.tsx'

/** How long the page waits for further typing before it searches, in milliseconds. */
const typingMs = 250

/** How often the page asks whether a group has arrived, in milliseconds. */
const waitingMs = 5_000

interface RolesProps {
  /** The roles that can be given. */
  readonly roles: readonly string[]
  readonly product: string
}

/** The groups that have arrived, each with a choice of its role. */
export function Roles(props: RolesProps) {
  const { texts } = useTexts()
  const { run, groupId, begin } = useRun()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="roles">
      <Title order={3} id="roles" tabIndex={-1} mb={6}>
        {texts.roles.heading}
      </Title>
      <Text size="sm" mb="md">
        {texts.roles.lead(props.product)}
      </Text>
      {groupId === undefined ? <RunProgress run={run} /> : null}
      <Groups {...props} run={run} begunBy={groupId} onGiven={begin} />
    </Paper>
  )
}

interface GroupsProps extends RolesProps {
  /** The run that is to be shown with a group. */
  readonly run: RolesRun['run']
  readonly begunBy: string | undefined
  readonly onGiven: (groupId: string, run: RolesRun) => void
}

function Groups({ run, begunBy, ...props }: GroupsProps) {
  const { texts } = useTexts()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), typingMs)
  const groups = useGroups(search)
  const found = groups.data?.pages.flatMap((page) => page.data) ?? []
  if (groups.data === undefined) {
    return groups.error === null ? (
      <Loader size="sm" aria-label={texts.loading} />
    ) : (
      <Alert color="red">{groups.error.message}</Alert>
    )
  }
  if (found.length === 0 && search === '' && text === '') return <Text role="status">{texts.roles.waiting}</Text>
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        label={texts.roles.search}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {found.length === 0 ? <Text role="status">{texts.roles.notFound}</Text> : null}
      <ul className="portal-groups">
        {found.map((group) => (
          <GroupRow key={group.id} group={group} run={begunBy === group.id ? run : null} {...props} />
        ))}
      </ul>
      {groups.hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          className="portal-start"
          loading={groups.isFetchingNextPage}
          onClick={() => void groups.fetchNextPage()}
        >
          {texts.roles.more}
        </Button>
      ) : null}
    </Stack>
  )
}

/** The groups as far as they were asked for, page by page. */
function useGroups(search: string) {
  return useInfiniteQuery({
    queryKey: ['groups', search],
    queryFn: ({ pageParam }) => listGroups(search, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pageToken }) => pageToken,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.every((page) => page.data.length === 0) === true ? waitingMs : false,
  })
}
