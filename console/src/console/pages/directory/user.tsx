import { Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { dsync, useData, useRows } from '../../../api/queries.ts'
import type { TimelineEntry, User } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Json } from '../../../ui/json.tsx'
import { Name } from '../../../ui/name.tsx'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Empty, Failure, Loaded, LoadingRows } from '../../../ui/states.tsx'
import { ActiveStatus } from '../../../ui/status.tsx'
import { Timeline } from '../../../ui/timeline.tsx'
import { entrySteps } from '../../steps.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'
import { fullName } from './users.tsx'

/** One user: what the identity provider sent, and what happened to it. */
export function UserPage() {
  const texts = useTexts()
  const { userId = '' } = useParams()
  const { id } = useDirectory()
  const user = useData<User>(`${dsync}/users/${userId}`, { directoryId: id })
  return (
    <Stack gap="lg">
      <Link to=".." relative="path" className="back">
        {texts.users.back}
      </Link>
      {user.error === null ? (
        <Loaded query={user}>{(found) => <UserDetails user={found} directoryId={id} />}</Loaded>
      ) : (
        <Failure error={user.error} retry={() => void user.refetch()} />
      )}
      <TimelineSection kind="users" id={userId} />
    </Stack>
  )
}

function UserDetails({ user, directoryId }: { readonly user: User; readonly directoryId: string }) {
  const texts = useTexts()
  return (
    <>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2}>
            <bdi>{fullName(user)}</bdi>
          </Title>
          <ActiveStatus active={user.active} />
        </Group>
        <Group gap="md">
          <Link to={`../../events?resource=${user.id}`} relative="path">
            {texts.events.ofResource}
          </Link>
          <Link to={`/explain?${new URLSearchParams({ directoryId, subject: user.id })}`}>{texts.users.why}</Link>
        </Group>
      </Group>
      <GroupsOf user={user} />
      <Section title={texts.users.raw} description={texts.users.rawText}>
        <Facts wide>
          <Fact name={texts.users.email}>
            <bdi>{user.email}</bdi>
          </Fact>
          <Fact name={texts.users.userName}>
            <bdi>{String(user.raw['userName'] ?? '')}</bdi>
          </Fact>
        </Facts>
        <Json value={user.raw} what={texts.users.raw} />
      </Section>
    </>
  )
}

/** How many groups are shown at first. */
const firstGroups = 20

/** The groups that a user is a direct member of. */
function GroupsOf({ user: { raw } }: { readonly user: User }) {
  const texts = useTexts()
  const [isWhole, setWhole] = useState(false)
  const groups = Array.isArray(raw['groups']) ? (raw['groups'] as { value?: string; display?: string }[]) : []
  const shown = isWhole ? groups : groups.slice(0, firstGroups)
  return (
    <Section title={texts.users.groups}>
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.users.noGroups}
        </Text>
      ) : (
        <ul className="names">
          {shown.map(({ value = '', display }) => (
            <li key={value}>
              <Link to={`../../groups/${value}`} relative="path">
                <Name>{display ?? value}</Name>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {shown.length < groups.length ? (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {texts.users.allGroups(groups.length)}
        </button>
      ) : null}
    </Section>
  )
}

/** What happened to a user or group, newest first. */
export function TimelineSection({ kind, id }: { readonly kind: 'users' | 'groups'; readonly id: string }) {
  const texts = useTexts()
  const directory = useDirectory()
  const path = useDirectoryPath()
  const entries = useRows<TimelineEntry>(`${path}/${kind}/${id}/timeline`, {}, { every: 15_000 })
  return (
    <Section title={texts.users.timeline}>
      <Loaded query={entries} loading={<LoadingRows rows={4} />}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="clock" title={texts.timeline.empty} text={texts.timeline.emptyText} />
          ) : (
            <>
              <Timeline label={texts.users.timeline} steps={entrySteps(found, texts, directory.id)} />
              {entries.hasNextPage ? (
                <button type="button" className="link-button" onClick={() => void entries.fetchNextPage()}>
                  {texts.lists.more}
                </button>
              ) : null}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
