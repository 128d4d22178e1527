import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
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
  return (
    <Menu position="bottom-end" width={260} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="light" color="gray" size="lg" radius="xl" aria-label={texts.shell.account}>
          <Icon name={session.kind === 'admin' ? 'admin' : 'key'} size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.kind === 'admin' ? texts.shell.asAdmin : texts.shell.asKey}</Menu.Label>
        <div className="account">
          <Text size="sm" fw={600}>
            <bdi>{session.name}</bdi>
          </Text>
          <ScopeText session={session} />
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void signOut()}>
          {texts.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
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
