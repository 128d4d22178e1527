import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Session } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../ui/icons.tsx'
import { isolated } from '../ui/isolated.ts'
import { useSession, useSignOut } from './session.tsx'

/** Who is signed in, and signing out. */
export function Account() {
  const texts = useTexts()
  const session = useSession()
  const signOut = useSignOut()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="light"
        color="gray"
        size="lg"
        radius="xl"
        aria-label={texts.shell.account}
        popoverTarget="account"
      >
        <Icon name={session.kind === 'admin' ? 'admin' : 'key'} size={18} />
      </ActionIcon>
      <div id="account" popover="auto" className="account" onToggle={({ newState }) => setOpen(newState === 'open')}>
        {isOpen ? (
          <>
            <Text size="xs" c="dimmed">
              {session.kind === 'admin' ? texts.shell.asAdmin : texts.shell.asKey}
            </Text>
            <Text size="sm" fw={600}>
              <bdi>{session.name}</bdi>
            </Text>
            <ScopeText session={session} />
            <Button
              variant="default"
              size="xs"
              mt="sm"
              fullWidth
              leftSection={<Icon name="signOut" />}
              onClick={() => void signOut()}
            >
              {texts.shell.signOut}
            </Button>
          </>
        ) : null}
      </div>
    </>
  )
}

/** The scope of the session. */
function ScopeText({ session: { scope } }: { readonly session: Session }) {
  const texts = useTexts()
  const parts = [
    scope.tenant === null ? undefined : texts.shell.tenant(isolated(scope.tenant)),
    scope.product === null ? undefined : texts.shell.product(isolated(scope.product)),
  ].filter((part) => part !== undefined)
  return (
    <Group gap={6}>
      <Text size="xs" c="dimmed">
        {parts.length === 0 ? texts.shell.everything : parts.join(', ')}
      </Text>
      {scope.read_only ? (
        <Badge size="xs" variant="light" color="gray" tt="none">
          {texts.shell.readOnly}
        </Badge>
      ) : null}
    </Group>
  )
}
