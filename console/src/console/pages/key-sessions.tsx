import { Text } from '@mantine/core'
import { sessionPath } from '../../api/http.ts'
import { send, useAction, useRows } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { Section } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

/** A sign-in to the console with an API key. The route is not part of the API. */
interface KeySession {
  readonly id: string
  readonly key: { readonly id: string; readonly name: string }
  readonly created_at: string
  readonly last_used_at: string
  readonly is_current: boolean
}

const path = `${sessionPath}s`

/** The sign-ins with API keys: an admin sees those of all keys, somebody with a key those of this key. */
export function KeySessions({ description }: { readonly description: string }) {
  const texts = useTexts()
  const sessions = useRows<KeySession>(path)
  return (
    <Section title={texts.sessions.title} description={description}>
      <PagedTable
        label={texts.sessions.title}
        query={sessions}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.signIn.key, cell: ({ key }) => <Name>{key.name}</Name> },
          { title: texts.admins.signedIn, cell: ({ created_at: at }) => <Time at={at} /> },
          { title: texts.admins.lastUsed, cell: ({ last_used_at: at }) => <Time at={at} /> },
          { title: texts.sessions.end, cell: (session) => <EndSession session={session} /> },
        ]}
        empty={<Empty icon="key" title={texts.sessions.empty} />}
      />
    </Section>
  )
}

function EndSession({ session: { id, key, is_current: isCurrent } }: { readonly session: KeySession }) {
  const texts = useTexts()
  const end = useAction(() => send('DELETE', `${path}/${id}`), [path])
  if (isCurrent)
    return (
      <Text span size="sm" c="dimmed">
        {texts.sessions.current}
      </Text>
    )
  return (
    <Confirm
      label={texts.sessions.end}
      icon="signOut"
      title={texts.sessions.endTitle(isolated(key.name))}
      consequences={texts.sessions.endText}
      dangerous
      act={() => end.mutateAsync(undefined)}
    />
  )
}
