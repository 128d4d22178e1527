import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { dsync, send, useAction, useData, useRows } from '../../../api/queries.ts'
import type { TimelineEntry, User, UserRoles } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useProblemFocus } from '../../../ui/focus.ts'
import { Json } from '../../../ui/json.tsx'
import { Name } from '../../../ui/name.tsx'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Empty, Failure, Loaded, LoadingRows } from '../../../ui/states.tsx'
import { ActiveStatus, Status } from '../../../ui/status.tsx'
import { Timeline } from '../../../ui/timeline.tsx'
import { reasonText } from '../../mapping/reason-text.ts'
import { useMayWrite } from '../../session.tsx'
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
          {user.domain_allowed === false ? (
            <Status tone="warn" icon="warning" text={texts.users.outsideDomains} />
          ) : null}
        </Group>
        <Group gap="md">
          <Link to={`../../events?resource=${user.id}`} relative="path">
            {texts.events.ofResource}
          </Link>
          <Link to={`/explain?${new URLSearchParams({ directoryId, subject: user.id })}`}>{texts.users.why}</Link>
        </Group>
      </Group>
      <GroupsOf user={user} />
      {user.roles === undefined ? null : <RolesOf user={user} />}
      <AccountOf key={user.id} user={user} />
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

/** The account of the product that the user is linked to; an empty field ends the link. */
function AccountOf({ user: { id, account_id: present } }: { readonly user: User }) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const path = `${useDirectoryPath()}/users/${encodeURIComponent(id)}/account`
  const [account, setAccount] = useState(present ?? '')
  const link = useAction(() => send('PUT', path, { account_id: account === '' ? null : account }), [dsync])
  const form = useProblemFocus(link.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const message = account === '' ? texts.users.unlinked : texts.users.linked
    link.mutate(undefined, { onSuccess: () => notifications.show({ message, color: 'teal' }) })
  }
  return (
    <Section title={texts.users.account} description={texts.users.accountText}>
      <form ref={form} onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={texts.users.accountId}
            value={account}
            onChange={(event) => setAccount(event.currentTarget.value)}
            className="grow"
            maxLength={255}
            autoComplete="off"
            readOnly={!mayWrite}
            error={link.error?.message}
          />
          {mayWrite ? (
            <Button type="submit" loading={link.isPending} disabled={account === (present ?? '')}>
              {account === '' && present !== null ? texts.users.unlink : texts.forms.save}
            </Button>
          ) : null}
        </Group>
      </form>
    </Section>
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

/** The roles and attributes that the mapping gives a user, and why; also the roles that a rule denies. */
function RolesOf({ user: { id, attributes = {} } }: { readonly user: User }) {
  const texts = useTexts()
  const roles = useData<UserRoles>(`${useDirectoryPath()}/users/${encodeURIComponent(id)}/roles`)
  return (
    <Section
      title={texts.roles.ofUser}
      actions={
        <Link to="../../roles" relative="path">
          {texts.roles.rules}
        </Link>
      }
    >
      <Loaded query={roles} loading={<LoadingRows rows={2} />}>
        {(found) => (
          <>
            {found.roles.length === 0 ? (
              <Text size="sm" c="dimmed">
                {texts.roles.noRoles}
              </Text>
            ) : null}
            <ul className="user-roles" aria-label={texts.roles.ofUser}>
              {found.roles.map(({ role, because }) => (
                <RoleWithReasons key={role} role={role} because={because} />
              ))}
              {found.denied.map(({ role, because }) => (
                <RoleWithReasons key={`denied ${role}`} role={role} because={because} isDenied />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Facts>
        {Object.entries(attributes).map(([name, value]) => (
          <Fact key={name} name={name}>
            <bdi>{String(value)}</bdi>
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

interface RoleWithReasonsProps {
  readonly role: string
  readonly because: UserRoles['roles'][number]['because']
  readonly isDenied?: boolean
}

function RoleWithReasons({ role, because, isDenied = false }: RoleWithReasonsProps) {
  const texts = useTexts()
  return (
    <li>
      {isDenied ? (
        <Status tone="bad" icon="cross" text={`${texts.roles.denied}: ${role}`} />
      ) : (
        <Status tone="good" icon="check" text={role} />
      )}{' '}
      <span className="muted">{because.map((reason) => reasonText(reason, texts.roles)).join('; ')}</span>
    </li>
  )
}

/** Lists the changes of a user or group, newest first. */
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
