import { Stack } from '@mantine/core'
import { adminApi, send, useAction, useRows } from '../../api/queries.ts'
import type { AdminToken } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHeader, Section } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AdminOnly } from '../admin-only.tsx'
import { useSession } from '../session.tsx'
import { KeySessions } from './key-sessions.tsx'

const path = `${adminApi}/token`

/** Who is signed in: admins, and whoever uses an API key. */
export function AdminsPage() {
  const texts = useTexts()
  const isAdmin = useSession().kind === 'admin'
  const admins = (
    <Section title={texts.admins.tokens}>
      <AdminOnly>
        <Tokens />
      </AdminOnly>
    </Section>
  )
  return (
    <>
      <PageHeader title={texts.admins.title} description={texts.admins.description} />
      <Stack gap="lg">
        {isAdmin ? admins : null}
        <KeySessions description={isAdmin ? texts.sessions.ofAllKeys : texts.sessions.ofYourKey} />
        {isAdmin ? null : admins}
      </Stack>
    </>
  )
}

function Tokens() {
  const texts = useTexts()
  const tokens = useRows<AdminToken>(path)
  return (
    <PagedTable
      label={texts.admins.tokens}
      query={tokens}
      keyOf={({ id }) => id}
      columns={[
        { title: texts.admins.email, cell: ({ user }) => <Name>{user.email}</Name> },
        { title: texts.admins.state, cell: ({ disabled }) => <TokenState disabled={disabled} /> },
        { title: texts.admins.signedIn, cell: ({ created_at }) => <Time at={created_at} /> },
        { title: texts.admins.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
        { title: texts.admins.disable, cell: (token) => (token.disabled ? '–' : <Disable token={token} />) },
      ]}
      empty={<Empty icon="admin" title={texts.admins.empty} />}
    />
  )
}

function TokenState({ disabled }: { readonly disabled: boolean }) {
  const texts = useTexts()
  return disabled ? (
    <Status tone="neutral" icon="minus" text={texts.admins.disabled} />
  ) : (
    <Status tone="good" icon="check" text={texts.admins.valid} />
  )
}

function Disable({ token: { id, user } }: { readonly token: AdminToken }) {
  const texts = useTexts()
  const disable = useAction(() => send('DELETE', `${path}/${id}`), [path])
  return (
    <Confirm
      label={texts.admins.disable}
      title={texts.admins.disableTitle(user.email)}
      consequences={texts.admins.disableText}
      dangerous
      act={() => disable.mutateAsync(undefined)}
    />
  )
}
