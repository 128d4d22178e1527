import { Alert, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ApiError } from '../../../api/http.ts'
import { request, withQuery } from '../../../api/http.ts'
import { send, useAction, useData } from '../../../api/queries.ts'
import type { Hold, RemovalLimit } from '../../../api/types.ts'
import type { Texts } from '../../../texts/en.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectoryPath } from './directory.tsx'

/** What is held, and the decision about it. */
export function HoldPage() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const hold = useData<Hold>(`${path}/hold`, {}, { every: 10_000 })
  return (
    <Loaded query={hold}>
      {(found) =>
        found.held ? (
          <Held hold={found} />
        ) : (
          <Section title={texts.hold.limit}>
            <LimitText limit={found.limit} />
            <Empty icon="check" title={texts.hold.none} text={texts.hold.noneText} />
          </Section>
        )
      }
    </Loaded>
  )
}

function LimitText({ limit }: { readonly limit: RemovalLimit | null }) {
  const texts = useTexts()
  const words =
    limit === null
      ? texts.hold.limitOff
      : texts.hold.limitText(limit.percent, limit.minimum, Math.round(limit.window_seconds / 60))
  return <Text size="sm">{words}</Text>
}

/** What was removed, or which role too few users have. */
function textOf({ role, role_users, keep_at_least, removals, active_users }: Hold, texts: Texts): string {
  if (role === null) return texts.hold.text(removals, active_users)
  return texts.hold.roleText(role, role_users ?? 0, keep_at_least ?? 0)
}

function Held({ hold }: { readonly hold: Hold }) {
  const texts = useTexts()
  const path = useDirectoryPath()
  const mayWrite = useMayWrite()
  const release = useAction(() => send('POST', `${path}/hold/release`), [path])
  const discard = useAction(() => send('POST', `${path}/hold/discard`), [path])
  return (
    <Stack gap="lg">
      <Alert color="yellow" icon={<Icon name="hold" size={22} />} title={texts.hold.title[hold.reason ?? 'users']}>
        <Stack gap="sm">
          <Text size="sm">{textOf(hold, texts)}</Text>
          {mayWrite ? (
            <Group gap="xs">
              <Confirm
                label={texts.hold.release}
                icon="play"
                title={texts.hold.releaseTitle}
                consequences={texts.hold.releaseText(hold.removals)}
                dangerous
                act={() => release.mutateAsync(undefined)}
              />
              <Confirm
                label={texts.hold.discard}
                icon="sync"
                title={texts.hold.discardTitle}
                consequences={texts.hold.discardText}
                act={() => discard.mutateAsync(undefined)}
              />
            </Group>
          ) : (
            <Text size="sm">{texts.shell.onlyReads}</Text>
          )}
        </Stack>
      </Alert>
      <Section title={texts.hold.limit}>
        <LimitText limit={hold.limit} />
        <Facts>
          <Fact name={texts.times.since}>
            <Time at={hold.since} />
          </Fact>
          <Fact name={texts.hold.removals}>{hold.removals}</Fact>
          <Fact name={texts.hold.activeUsers}>{hold.active_users}</Fact>
          <Fact name={texts.hold.first}>{hold.first_sequence ?? '–'}</Fact>
        </Facts>
      </Section>
      <HeldUsers />
    </Stack>
  )
}

type HeldUser = Hold['users'][number]

interface HoldPageData {
  readonly data: Hold
  readonly pageToken?: string
}

function HeldUsers() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const pages = useInfiniteQuery<HoldPageData, ApiError, readonly HeldUser[], readonly unknown[], string | undefined>({
    queryKey: [`${path}/hold`, 'users'],
    queryFn: ({ pageParam }) => request('GET', withQuery(`${path}/hold`, { pageLimit: 50, pageToken: pageParam })),
    initialPageParam: undefined,
    getNextPageParam: ({ pageToken }) => pageToken,
    select: ({ pages: found }) => found.flatMap(({ data }) => data.users),
  })
  const users = pages.data
  if (users === undefined || users.length === 0) return null
  return (
    <Section title={texts.hold.users}>
      <DataTable
        label={texts.hold.users}
        rows={users}
        keyOf={({ id }) => id}
        columns={[
          {
            title: texts.users.email,
            cell: ({ id, email }) => (
              <Link to={`../users/${id}`}>
                <Name>{email}</Name>
              </Link>
            ),
          },
          { title: texts.hold.removedAt, cell: ({ removed_at }) => <Time at={removed_at} /> },
          {
            title: texts.hold.returnedAt,
            cell: ({ returned_at }) => (returned_at === null ? '–' : <Time at={returned_at} />),
          },
        ]}
      />
      {pages.hasNextPage ? (
        <button type="button" className="link-button" onClick={() => void pages.fetchNextPage()}>
          {texts.lists.more}
        </button>
      ) : null}
    </Section>
  )
}
