import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Empty } from '../ui/states.tsx'
import { useSession, useSignOut } from './session.tsx'

/** Shows its content to admins; others read how to become one. */
export function AdminOnly({ children }: { readonly children: ReactNode }) {
  const texts = useTexts()
  const signOut = useSignOut()
  const { kind, admin_api: hasAdmins } = useSession()
  if (kind === 'admin') return children
  return (
    <Empty
      icon="lock"
      title={texts.adminOnly.title}
      text={hasAdmins ? texts.adminOnly.withAdmins : texts.adminOnly.withoutAdmins}
      action={
        hasAdmins ? (
          <Button variant="default" size="sm" mt="xs" onClick={() => void signOut()}>
            {texts.shell.signOut}
          </Button>
        ) : null
      }
    />
  )
}
