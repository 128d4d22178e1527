import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ApiError } from '../../../api/http.ts'
import { request, withQuery } from '../../../api/http.ts'
import { send, useAction, useData } from '../../../api/queries.ts'
import type { Hold, HoldReason, RemovalLimit } from '../../../api/types.ts'
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

/** Shows the held events, and offers the decision about them. */
export function HoldPage() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const hold = useData<Hold>(`${path}/hold`, {}, { every: 10_000 })
  const [isDiscarded, setDiscarded] = useState(false)
  return (
    <Loaded query={hold}>
      {(found) =>
        found.held ? (
          <Held hold={found} onDiscard={() => setDiscarded(true)} />
        ) : (
          <Section title={texts.hold.limit}>
            {isDiscarded ? (
              <Alert color="teal" icon={<Icon name="check" />} role="status" mb="md">
                {texts.hold.discarded} <Link to="../resync">{texts.hold.toResync}</Link>
              </Alert>
            ) : null}
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

/** Shows the removals, or the roles that too few users have. */
function textOf({ reason, roles, removals, highest, first_sequence }: HoldReason, texts: Texts): string {
  const ofRoles = roles.map(({ role, users, keep_at_least }) => texts.hold.roleText(role, users, keep_at_least))
  const since = first_sequence === null || reason === 'adoption' ? '' : texts.hold.since
  return [texts.hold.text[reason](removals, highest ?? 0), ...ofRoles, since].filter((text) => text !== '').join(' ')
}

function Held({ hold, onDiscard }: { readonly hold: Hold; readonly onDiscard: () => void }) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const areSeveral = hold.reasons.length > 1
  return (
    <Stack gap="lg">
      {hold.reasons.map((reason) => (
        <Reason key={reason.reason} hold={hold} reason={reason} isOneOfSeveral={areSeveral} />
      ))}
      {mayWrite ? (
        <Group gap="xs">
          <Release hold={hold} />
          <Discard hold={hold} onDiscard={onDiscard} />
        </Group>
      ) : (
        <Text size="sm">{texts.shell.onlyReads}</Text>
      )}
      {hold.reasons.map(({ reason }) =>
        reason === 'users' || reason === 'sync' ? <HeldUsers key={reason} reason={reason} /> : null,
      )}
    </Stack>
  )
}

interface ReasonProps {
  readonly hold: Hold
  readonly reason: HoldReason
  readonly isOneOfSeveral: boolean
}

function Reason({ hold, reason, isOneOfSeveral }: ReasonProps) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  return (
    <Alert color="yellow" icon={<Icon name="hold" size={22} />} title={texts.hold.title[reason.reason]}>
      <Stack gap="sm">
        <Text size="sm">{textOf(reason, texts)}</Text>
        {reason.limit === null ? null : <LimitText limit={reason.limit} />}
        {reason.reason === 'adoption' ? (
          <Group>
            <Button component={Link} to="../adoption" size="xs">
              {texts.users.toAdoption}
            </Button>
          </Group>
        ) : null}
        <Facts>
          <Fact name={texts.times.since}>
            <Time at={reason.since} />
          </Fact>
          <Fact name={texts.hold.first}>{reason.first_sequence ?? '–'}</Fact>
        </Facts>
        {isOneOfSeveral && mayWrite ? (
          <Group gap="xs">
            <Release hold={hold} only={reason} />
          </Group>
        ) : null}
      </Stack>
    </Alert>
  )
}

/** Ends the reasons that were shown when the question was asked: another one that comes in between stays. */
function useEnd(how: 'release' | 'discard', hold: Hold, only?: HoldReason) {
  const path = useDirectoryPath()
  const [asked, setAsked] = useState({ hold, only })
  const action = useAction(
    () =>
      send('POST', `${path}/hold/${how}`, {
        ...(asked.hold.version === null ? {} : { version: asked.hold.version }),
        ...(asked.only === undefined ? {} : { reasons: [asked.only.reason] }),
      }),
    [path],
  )
  return { asked, onAsk: () => setAsked({ hold, only }), act: () => action.mutateAsync(undefined) }
}

function Release({ hold, only }: { readonly hold: Hold; readonly only?: HoldReason }) {
  const texts = useTexts().hold
  const { asked, onAsk, act } = useEnd('release', hold, only)
  const reasons = asked.only === undefined ? asked.hold.reasons : [asked.only]
  return (
    <Confirm
      label={only === undefined ? texts.release : texts.releaseOne}
      icon="play"
      title={only === undefined ? texts.releaseTitle : texts.releaseOneTitle[only.reason]}
      consequences={[
        ...reasons.map(({ reason, removals }) => texts.releaseText[reason](removals)),
        ...(only === undefined ? [] : [texts.othersStay]),
        texts.irrevocable,
      ]}
      dangerous
      onAsk={onAsk}
      act={act}
    />
  )
}

function Discard({ hold, onDiscard }: { readonly hold: Hold; readonly onDiscard: () => void }) {
  const texts = useTexts().hold
  const { onAsk, act } = useEnd('discard', hold)
  const isAdoption = hold.reasons.every(({ reason }) => reason === 'adoption')
  return (
    <Confirm
      label={texts.discard}
      icon="sync"
      title={texts.discardTitle}
      consequences={[...texts.discardText, ...(isAdoption ? [] : texts.discardRemovalsText)]}
      onAsk={onAsk}
      act={async () => {
        await act()
        // Deletions of a sync that have not been made have no events, so that nothing is sent in their place.
        if (hold.reasons.some(({ reason }) => reason !== 'sync')) onDiscard()
      }}
    />
  )
}

type HeldUser = Hold['users'][number]

interface HoldPageData {
  readonly data: Hold
  readonly pageToken?: string
}

function HeldUsers({ reason }: { readonly reason: 'users' | 'sync' }) {
  const texts = useTexts()
  const path = useDirectoryPath()
  const title = texts.hold.users[reason]
  const pages = useInfiniteQuery<HoldPageData, ApiError, readonly HeldUser[], readonly unknown[], string | undefined>({
    queryKey: [`${path}/hold`, reason],
    queryFn: ({ pageParam }) =>
      request('GET', withQuery(`${path}/hold`, { reason, pageLimit: 50, pageToken: pageParam })),
    initialPageParam: undefined,
    getNextPageParam: ({ pageToken }) => pageToken,
    select: ({ pages: found }) =>
      found.flatMap(({ data }) => data.reasons.find((one) => one.reason === reason)?.users ?? []),
  })
  const users = pages.data
  if (users === undefined || users.length === 0) return null
  return (
    <Section title={title}>
      <DataTable
        label={title}
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
