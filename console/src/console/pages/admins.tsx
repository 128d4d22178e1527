import { Stack } from '@mantine/core'
import { sessionPath } from '../../api/http.ts'
import { adminApi } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { PageHeader, Section } from '../../ui/page.tsx'
import { AdminOnly } from '../admin-only.tsx'
import { useSession } from '../session.tsx'
import { SignIns } from './sign-ins.tsx'

/** Who is signed in: admins, and whoever uses an API key. An admin sees those of all keys, somebody with a key those of this key. */
export function AdminsPage() {
  const { admins, signIn } = useTexts()
  const isAdmin = useSession().kind === 'admin'
  const ofAdmins = (
    <Section title={admins.tokens}>
      <AdminOnly>
        <SignIns path={`${adminApi}/token`} label={admins.tokens} who={admins.email} />
      </AdminOnly>
    </Section>
  )
  return (
    <>
      <PageHeader title={admins.title} description={admins.description} />
      <Stack gap="lg">
        {isAdmin ? ofAdmins : null}
        <Section title={admins.withKey} description={isAdmin ? admins.ofAllKeys : admins.ofYourKey}>
          <SignIns path={`${sessionPath}s`} label={admins.withKey} who={signIn.key} />
        </Section>
        {isAdmin ? null : ofAdmins}
      </Stack>
    </>
  )
}
